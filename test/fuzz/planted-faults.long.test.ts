import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { Conflict, InvalidInput } from "../../src/kit/errors.ts";
import type { Store } from "../../src/store/store.ts";
import type { ApiFixture } from "../api-fixture.ts";
import { callers } from "./callers.ts";
import { endpointsOf } from "./endpoints.ts";
import { validRequests } from "./requests.ts";
import { run, sendChecked } from "./run.ts";
import { createFuzzServer } from "./fuzz-server.ts";

const [, aliceForBob, , carol] = callers;
assert.ok(aliceForBob && carol);

test("from the description of every operation come requests that it carries out", async () => {
  await using site = await createFuzzServer();
  // Signing in takes the passwords, codes and links of people.
  const endpoints = endpointsOf(site.document).filter(({ tag }) => tag !== "signin");
  for (const endpoint of endpoints) {
    const requests = validRequests(endpoint, aliceForBob);
    let status = 0;
    // Some are carried out once a minute.
    await site.cast.clock.advance(60_000);
    for (let seed = 1; seed <= 40 && status !== 200; seed += 1) {
      for (const request of fc.sample(requests, { seed, numRuns: 5 })) {
        await site.recreateRecords();
        status = await sendChecked(site, aliceForBob, request);
        if (status === 200) break;
      }
    }
    assert.equal(status, 200, endpoint.operationId);
  }
});

const plainRequest = {
  action: undefined,
  headers: undefined,
  querystrings: undefined,
  data: undefined,
};

const planted: readonly {
  readonly name: string;
  readonly plant: (cast: ApiFixture) => Store;
  readonly found: RegExp;
  readonly requests?: number;
}[] = [
  {
    name: "a record that a stranger may read",
    plant: ({ store }) => ({
      ...store,
      checks: { ...store.checks, find: (_, id) => store.checks.findById(id) },
    }),
    found: /carol: it shows "(alice|bob)sown"/,
  },
  {
    name: "a record that a stranger may write",
    plant: ({ store, alice }) => ({
      ...store,
      write: (unit) =>
        store.write((tx) => {
          const put: typeof tx.schedules.put = (_, schedule) =>
            tx.schedules.put(alice.account.id, schedule);
          return unit({ ...tx, schedules: { ...tx.schedules, put } });
        }),
    }),
    found: /carol changed what alice has: /,
    // The final state is examined.
    requests: 1000,
  },
  {
    name: "an error of our own",
    plant: ({ store }) => withContacts(store, () => Promise.reject(new Error("planted"))),
    found: /carol: a fault of our own/,
  },
  {
    name: "an error that tells where the code is",
    plant: ({ store }) =>
      withContacts(store, () => Promise.reject(new InvalidInput(import.meta.filename))),
    found: /carol: it tells /,
  },
  {
    name: "a status that is not documented",
    plant: ({ store }) => withContacts(store, () => Promise.reject(new Conflict("planted"))),
    found: /this status is not documented/,
  },
  {
    name: "a member that is not documented",
    plant: ({ store }) =>
      withContacts(store, async (account, id) => {
        const found = await store.contacts.find(account, id);
        const request = { ...plainRequest, planted: true };
        return (
          found && {
            ...found,
            addresses: found.addresses.map((address) => ({ ...address, request })),
          }
        );
      }),
    found: /must NOT have additional properties/,
    // Few requests of a stranger's are answered with a contact.
    requests: 20_000,
  },
];

for (const { name, plant, found, requests = 4000 } of planted) {
  test(`${name} is found`, async () => {
    await using site = await createFuzzServer({ plant });
    const failure: unknown = await run(site, carol, {
      requests,
      seed: 2,
      endOnFailure: true,
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Error);
    assert.match(`${failure.message} ${String(failure.cause)}`, found);
  });
}

function withContacts(store: Store, find: Store["contacts"]["find"]): Store {
  return { ...store, contacts: { ...store.contacts, find } };
}
