import assert from "node:assert/strict";
import { test } from "node:test";

import { apiCast, plainCheck } from "../../../test/api-cast.ts";
import type { Cast, Person } from "../../../test/api-cast.ts";
import type { Notice } from "../../domain/alert.ts";

/** An alert to the person about a check of theirs, worded and delivered unless it was `dropped`. */
async function alerted(
  cast: Cast,
  person: Person,
  { id, dropped = false }: { readonly id: string; readonly dropped?: boolean },
): Promise<string> {
  const { body } = await cast.ask(person, "POST /checks", plainCheck);
  const found = await cast.store.checks.find(person.account.id, body._id);
  assert.ok(found);
  const at = cast.clock.now();
  const notice: Notice = {
    account: { id: person.account.id, name: person.account.name },
    check: {
      id: body._id,
      label: "x",
      type: "HTTP",
      target: "http://example.com/",
      intervalMinutes: 15,
      description: "",
    },
    state: "failing",
    previous: "passing",
    since: at,
    downForMs: undefined,
    result: {
      id: "r",
      startedAt: at,
      endedAt: at,
      runtimeMs: 1,
      text: "500",
      message: "HTTP status returned: 500",
    },
    confirmations: [],
  };
  const [address] = person.contact.addresses;
  await cast.store.write(async (tx) => {
    await tx.alerts.insert({
      id,
      flipId: `flip-${id}`,
      accountId: person.account.id,
      checkNo: found.check.no,
      outage: `flip-${id}`,
      kind: "down",
      contactId: person.contact.id,
      addressId: address?.id ?? "",
      schedule: "All",
      dueAt: at,
      createdAt: at,
      notice,
    });
    if (dropped) {
      await tx.alerts.settle(id, { status: "dropped", at, reason: "outside_window" });
      return;
    }
    await tx.alerts.word(id, {
      kind: "down",
      to: "to@example.com",
      from: "from@example.com",
      subject: "DOWN: x",
      body: "It is down.",
      network: "smtp",
    });
    await tx.alerts.settle(id, { status: "delivered", at: at + 50 });
  });
  return body._id;
}

test("a notification tells what was sent to whom, by which way, when and with what end", async () => {
  await using cast = await apiCast();
  const check = await alerted(cast, cast.alice, { id: "one" });
  const { body } = await cast.ask(cast.alice, "GET /notifications");
  assert.deepEqual(body, [
    {
      _id: `${check}-one`,
      jobid: check,
      customer_id: cast.alice.account.id,
      to: "to@example.com",
      from: "from@example.com",
      subject: "DOWN: x",
      body: "It is down.",
      network: "smtp",
      type: "down",
      at: cast.clock.now() + 50,
      rhp: "",
      status: "delivered",
    },
  ]);
});

test("they come newest first, of one check where it is named, within span and limit", async () => {
  await using cast = await apiCast();
  const old = await alerted(cast, cast.alice, { id: "old" });
  await cast.clock.advance(2 * 3_600_000);
  const recent = await alerted(cast, cast.alice, { id: "recent" });
  const jobs = async (query: string): Promise<readonly string[]> =>
    (await cast.ask(cast.alice, `GET /notifications${query}`)).body.map(
      ({ jobid }: { jobid: string }) => jobid,
    );
  assert.deepEqual(await jobs(""), [recent, old]);
  assert.deepEqual(await jobs("?limit=1"), [recent]);
  assert.deepEqual(await jobs("?span=1"), [recent]);
  assert.deepEqual(await jobs("?span=3&limit=1"), [recent]);
  assert.deepEqual(await jobs(`/${old}`), [old]);
  assert.deepEqual(await jobs(`?id=${old}`), [old]);
  assert.deepEqual(await jobs("/missing"), []);
});

test("those of subaccounts are included when asked for, and a stranger's never", async () => {
  await using cast = await apiCast();
  const hers = await alerted(cast, cast.alice, { id: "hers" });
  const his = await alerted(cast, cast.bob, { id: "his" });
  await alerted(cast, cast.carol, { id: "carols" });
  const jobs = async (query: string): Promise<readonly string[]> =>
    (await cast.ask(cast.alice, `GET /notifications${query}`)).body.map(
      ({ jobid }: { jobid: string }) => jobid,
    );
  assert.deepEqual(await jobs(""), [hers]);
  assert.deepEqual(new Set(await jobs("?subaccounts=1")), new Set([hers, his]));
  assert.deepEqual(await jobs(`?customerid=${cast.bob.account.id}`), [his]);
});

test("alerts that were dropped before any attempt are shown when asked for, with the reason", async () => {
  await using cast = await apiCast();
  const check = await alerted(cast, cast.alice, { id: "one", dropped: true });
  assert.equal((await cast.ask(cast.alice, "GET /notifications")).text, "[]");
  const { body } = await cast.ask(cast.alice, "GET /notifications?dropped=true");
  assert.deepEqual(
    body.map(({ jobid, status, reason }: Record<string, string>) => [jobid, status, reason]),
    [[check, "dropped", "outside_window"]],
  );
});
