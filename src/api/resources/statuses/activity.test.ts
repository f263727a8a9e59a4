import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";
import { aFlip, minute } from "../../../../test/record-builders.ts";

async function made(cast: ApiFixture, parameters: object) {
  const sent = { ...plainCheck, enabled: true, ...parameters };
  const { body } = await cast.ask(cast.alice, "POST /checks", sent);
  const found = await cast.store.checks.find(cast.alice.account.id, body._id);
  assert.ok(found, JSON.stringify(body));
  return found.check;
}

async function madeMany(cast: ApiFixture, count: number, parametersOf: (index: number) => object) {
  const checks = [];
  for (let index = 0; index < count; index += 1) checks.push(await made(cast, parametersOf(index)));
  return checks;
}

/** A token of Alice's that only reads. */
async function readerOf({ ask, alice }: ApiFixture) {
  const { body } = await ask(alice, "POST /tokens", { label: "reads", access: "read" });
  return { ...alice, token: String(body.token) };
}

test("what is down is grouped by host and cause, and by cause alone where many hosts fail alike", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, bob, store, clock } = cast;
  const at = clock.now();
  const ofHost = await madeMany(cast, 7, (index) => ({
    label: `db ${index}`,
    target: `https://db1.example/${index}?key=planted`,
  }));
  const ofMany = await madeMany(cast, 5, (index) => ({ target: `https://h${index}.example/` }));
  const single = await made(cast, { label: "Shop", target: "https://shop.example/" });
  await store.write(async ({ states }) => {
    for (const [index, { no, id }] of ofHost.entries())
      await states.flip(
        aFlip(no, { id, since: at + index, message: "refused for ?key=planted by db1" }),
      );
    for (const [index, { no, id }] of ofMany.entries())
      await states.flip(
        aFlip(no, { id, since: at + index, text: "Timeout", message: `timeout ${index}` }),
      );
    await states.flip(aFlip(single.no, { id: single.id, since: at + 9, text: "Timeout DNS" }));
  });
  await ask(alice, `POST /checks/acknowledge/${ofHost[0]?.id}`, { by: "Ann" });
  const { body } = await ask(alice, "GET /statuses/overview");
  const shown = body.groups.map(({ checks, ...rest }: { readonly checks: object[] }) => ({
    ...rest,
    listed: checks.length,
  }));
  assert.deepEqual(shown, [
    {
      host: "db1.example",
      result: "Refused",
      message: "refused for ?key=planted by db1",
      since: at,
      count: 7,
      unacknowledged: 6,
      listed: 7,
    },
    { result: "Timeout", message: "", since: at, count: 5, unacknowledged: 5, listed: 5 },
    {
      host: "shop.example",
      result: "Timeout DNS",
      message: "connection refused",
      since: at + 9,
      count: 1,
      unacknowledged: 1,
      listed: 1,
    },
  ]);
  assert.deepEqual(body.groups[0].checks.at(-1), {
    id: ofHost[0]?.id,
    label: "db 0",
    since: at,
    by: "Ann",
  });
  const reader = await readerOf(cast);
  const read = await ask(reader, "GET /statuses/overview");
  assert.equal(read.body.groups[0].count, 7);
  assert.ok(!read.text.includes("planted"), read.text);
  assert.deepEqual((await ask(bob, "GET /statuses/overview")).body.groups, []);
});

test("groups list a bounded number of checks, and count all", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, store, clock } = cast;
  const at = clock.now();
  const checks = await madeMany(cast, 504, (index) => ({
    target: `https://db${index < 502 ? 1 : 2}.example/`,
  }));
  await store.write(async ({ states }) => {
    for (const { no, id } of checks) await states.flip(aFlip(no, { id, since: at }));
  });
  const { groups } = (await ask(alice, "GET /statuses/overview")).body;
  assert.deepEqual(
    groups.map(({ count, checks: listed }: { count: number; checks: object[] }) => [
      count,
      listed.length,
    ]),
    [
      [502, 498],
      [2, 2],
    ],
  );
});

test("the last 24 hours have outages with their durations, who acknowledged them, and maintenances", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, bob, store, clock } = cast;
  const checks = await madeMany(cast, 3, (index) => ({
    label: `Shop ${index}`,
    target: `https://shop.example/?key=planted`,
  }));
  const old = await made(cast, { label: "Old" });
  await store.write(({ states }) => states.flip(aFlip(old.no, { id: "old", since: clock.now() })));
  await store.write(({ states }) =>
    states.flip(aFlip(old.no, { id: "end", from: "failing", to: "passing", since: clock.now() })),
  );
  await clock.advance(25 * 60 * minute);
  const began = clock.now();
  const message = "refused for ?key=planted";
  await store.write(async ({ states }) => {
    for (const [index, { no, id }] of checks.entries())
      await states.flip(aFlip(no, { id, since: began + index * 1000, message }));
  });
  await clock.advance(2 * minute);
  await ask(alice, `POST /checks/acknowledge/${checks[0]?.id}`, { by: "Ann" });
  const acknowledged = clock.now();
  await clock.advance(2 * minute);
  await store.write(async ({ states }) => {
    for (const { no, id } of checks)
      await states.flip(
        aFlip(no, { id: `${id} up`, from: "failing", to: "passing", since: clock.now() }),
      );
  });
  const ended = clock.now();
  await clock.advance(5 * minute);
  await store.write(({ states }) =>
    states.flip(aFlip(old.no, { id: "again", from: "passing", since: clock.now(), message })),
  );
  const last = clock.now();
  const { body } = await ask(alice, "GET /statuses/activity");
  const named = checks.map(({ id, label }) => ({ id, label }));
  const several = (entry: { readonly checks: readonly { readonly label: string }[] }) => ({
    ...entry,
    checks: entry.checks.toSorted((one, other) => one.label.localeCompare(other.label)),
  });
  assert.deepEqual(
    [body.from, body.outages, body.longestms, body.more],
    [last - 24 * 60 * minute, 4, 4 * minute, false],
  );
  assert.deepEqual(body.entries.map(several), [
    {
      kind: "down",
      at: last,
      count: 1,
      checks: [{ id: old.id, label: "Old" }],
      result: "Refused",
      message,
    },
    { kind: "up", at: ended, count: 3, checks: named, ms: 4 * minute },
    { kind: "acknowledged", at: acknowledged, count: 1, checks: named.slice(0, 1), by: "Ann" },
    { kind: "down", at: began, count: 3, checks: named, result: "Refused" },
  ]);
  const { body: first } = await ask(alice, "GET /statuses/activity?limit=1");
  assert.deepEqual([first.entries.length, first.more], [1, true]);
  await clock.advance(minute);
  await ask(alice, `PUT /checks/${old.id}`, { enabled: false });
  await ask(alice, "POST /maintenance?id=ad-hoc", { duration: 5, checklist: [checks[0]?.id] });
  const later = (await ask(alice, "GET /statuses/activity")).body.entries;
  assert.deepEqual(
    later.slice(0, 2).map(({ kind }: { readonly kind: string }) => kind),
    ["maintenance", "down"],
  );
  const read = await ask(await readerOf(cast), "GET /statuses/activity");
  assert.equal(read.body.entries.length, later.length);
  assert.ok(!read.text.includes("planted"), read.text);
  assert.deepEqual((await ask(bob, "GET /statuses/activity")).body.entries, []);
  assert.equal((await ask(alice, "GET /statuses/activity?limit=201")).status, 400);
});
