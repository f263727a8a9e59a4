import assert from "node:assert/strict";

import * as fc from "fast-check";

import type { CompatibilityMode } from "../../src/domain/account/token.ts";
import { markerOf } from "../stores/account-fixture.ts";
import { waitFor } from "../time/wait-for.ts";
import { callers, names, resolveRefs, type Caller, type Name } from "./callers.ts";
import { requestsFor } from "./requests.ts";
import { storedRows } from "./stored-rows.ts";
import { createFuzzServer, type FuzzServer } from "./fuzz-server.ts";
import { exchange, textOf, type Request } from "./raw-http.ts";

const MAX_AT_ONCE = 40;
const MAX_SHOWN = 3000;

/** How often each documented operation has answered with each status. */
export type StatusCounts = Map<string, Map<number, number>>;

/**
 * Sends about this many generated requests of all callers to one server, and throws at the first wrong response, with the seed and the smallest requests that
 * reproduce it.
 */
export async function runAll(
  mode: CompatibilityMode,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<StatusCounts> {
  const tally: StatusCounts = new Map();
  const socketsBefore = openSockets();
  {
    await using site = await createFuzzServer({ mode });
    for (const [index, caller] of callers.entries())
      await run(site, caller, { requests: requests / callers.length, seed: seed + index, tally });
    await assertWell(site);
  }
  await waitFor("no socket is left open", () => openSockets() <= socketsBefore);
  return tally;
}

/** Sends requests as one of them, several at a time. */
export async function run(
  site: FuzzServer,
  caller: Caller,
  {
    requests,
    seed,
    tally = new Map(),
    endOnFailure = false,
  }: {
    readonly requests: number;
    readonly seed: number;
    readonly tally?: StatusCounts;
    /** Does not look for the smallest requests. */
    readonly endOnFailure?: boolean;
  },
): Promise<void> {
  await site.recreateRecords();
  const others = names.filter((name) => !caller.mayChange.includes(name));
  const before = others.map((name) => storedOf(site, name));
  const property = fc.asyncProperty(
    fc.array(requestsFor(site.document, caller), {
      minLength: 1,
      maxLength: MAX_AT_ONCE,
      size: "max",
    }),
    async (settleAll) => {
      await site.recreateRecords();
      // To their ends, all of them: what comes next is not to meet one that is late.
      const ends = await Promise.allSettled(
        settleAll.map(async (request) => {
          const status = await sendChecked(site, caller, request);
          const times = tally.get(request.operationId) ?? new Map<number, number>();
          tally.set(request.operationId, times.set(status, (times.get(status) ?? 0) + 1));
        }),
      );
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  );
  await fc.assert(property, {
    seed,
    endOnFailure,
    numRuns: Math.ceil((requests * 2) / MAX_AT_ONCE),
  });
  for (const [index, name] of others.entries()) {
    const changed = new Set(before[index]).symmetricDifference(new Set(storedOf(site, name)));
    const [first = ""] = changed;
    assert.equal(changed.size, 0, `${caller.title} changed what ${name} has: ${first}`);
  }
}

/** Sends one request, and gives the status of its answer. Throws where anything is wrong with it. */
export async function sendChecked(
  site: FuzzServer,
  caller: Caller,
  request: Request,
): Promise<number> {
  const sent = resolved(request, site);
  const response = await exchange(site.port, sent);
  const hidden = names
    .filter((name) => !caller.mayRead.includes(name))
    .flatMap((name) => secretsOf(site, name));
  const objection = site.check({ request: sent, response, hidden });
  if (objection === undefined) return response.status;
  const shown = [textOf(sent), response.head, response.body].map((text) =>
    text.slice(0, MAX_SHOWN),
  );
  throw new Error(`${caller.title}: ${objection}\n${shown.join("\n\n")}`);
}

function resolved(request: Request, { records }: FuzzServer): Request {
  const known = records();
  return {
    ...request,
    url: resolveRefs(request.url, known),
    user: request.user && resolveRefs(request.user, known),
    body: resolveRefs(request.body, known),
  };
}

/** Returns the values of one person that occur in no request of others. */
function secretsOf({ cast, records }: FuzzServer, name: Name): readonly string[] {
  const person = cast[name];
  const addresses = person.contact.addresses.map(({ address }) => address);
  return [
    markerOf(person),
    person.contact.id,
    ...addresses,
    person.token,
    records()[name].checktoken,
  ];
}

function storedOf({ cast }: FuzzServer, name: Name): readonly string[] {
  return storedRows(cast.store.directory, cast[name].account.id);
}

/** It answers as ever, holds no connection, and has logged no error. */
async function assertWell({ cast, connections, port }: FuzzServer): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/1/checks?token=${cast.alice.token}`;
  const response = await fetch(url, { headers: { connection: "close" } });
  assert.equal(response.status, 200, await response.text());
  await waitFor("no connection is held", async () => (await connections()) === 0);
  assert.deepEqual(
    cast.logged.filter((line) => /_(error|failed|broken)"/.test(line)),
    [],
  );
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource.startsWith("TCP")).length;
}
