import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../test/api-fixture.ts";
import type { LimitedKind } from "../domain/account/limits.ts";

const sentence = (what: string, kind: LimitedKind): string =>
  `limit reached: an account may keep ${what}, those of its subaccounts included; whoever runs this installation can raise ${kind} in WATCHPOST_ACCOUNT_LIMITS`;

const creating = [
  ["checks", "POST /checks", { type: "PORT", target: "example.com", port: 1 }],
  ["contacts", "POST /contacts", { name: "Ann" }],
  ["contactgroups", "POST /contactgroups", { name: "All" }],
  ["notificationprofiles", "POST /notificationprofiles", { name: "P", notifications: [] }],
  ["schedules", "PUT /schedules/Late", { data: { monday: { allday: true } } }],
  ["maintenances", "POST /maintenance", { duration: 5, cron: "0 2 * * *", checklist: [] }],
  [
    "subaccounts",
    "POST /accounts",
    { name: "S", contactname: "A", email: "a@example.com", timezone: "1", location: "eur" },
  ],
] as const;

// guard: records of an account
test("each kind of record has a limit, which the refusal and the account name", async () => {
  const counted: string[] = [];
  const meter = {
    count: (event: string, { limit = "" }: Readonly<Record<string, string>> = {}) =>
      void counted.push(`${event} ${limit}`),
    observe() {},
  };
  // Alice and Bob have a contact and four schedules each.
  const limits = {
    checks: 1,
    contacts: 3,
    contactgroups: 1,
    notificationprofiles: 1,
    schedules: 9,
    maintenances: 1,
    subaccounts: 1,
  };
  await using cast = await createApiFixture({ limits, meter });
  const { ask, alice } = cast;
  for (const [kind, request, parameters] of creating) {
    const name = kind === "schedules" ? request.replace("Late", "Later") : request;
    if (kind !== "subaccounts")
      assert.equal((await ask(alice, request, parameters)).status, 200, kind);
    const { status, body } = await ask(alice, name, parameters);
    assert.deepEqual([status, body.error], [403, sentence(`${limits[kind]} ${kind}`, kind)]);
  }
  const { body } = await ask(alice, "GET /accounts");
  const shown = body[alice.account.id].limits;
  for (const [kind, limit] of Object.entries(limits))
    assert.deepEqual(shown[kind], { used: limit, limit }, kind);
  assert.deepEqual(
    counted.filter((event) => event.startsWith("api.")),
    creating.map(([kind]) => `api.limit_reached ${kind}`),
  );
});

test("what is read and written besides is not refused at a limit, and what is deleted makes room", async () => {
  await using cast = await createApiFixture({ limits: { checks: 1 } });
  const { ask, alice } = cast;
  const check = { type: "PORT", target: "example.com", port: 1 };
  const { body } = await ask(alice, "POST /checks", check);
  assert.equal((await ask(alice, "POST /checks", check)).status, 403);
  assert.equal((await ask(alice, `PUT /checks/${body._id}`, { label: "longer" })).status, 200);
  assert.equal((await ask(alice, "POST /contacts", { name: "Ann" })).status, 200);
  assert.equal((await ask(alice, `DELETE /checks/${body._id}`)).status, 200);
  assert.equal((await ask(alice, "POST /checks", check)).status, 200);
});

test("subaccounts do not multiply a limit, and see their own use of it", async () => {
  await using cast = await createApiFixture({ limits: { checks: 2 } });
  const { ask, alice, bob, carol } = cast;
  const check = { type: "PORT", target: "example.com", port: 1 };
  const ofBob = { ...check, customerid: bob.account.id };
  assert.equal((await ask(alice, "POST /checks", ofBob)).status, 200);
  assert.equal((await ask(bob, "POST /checks", check)).status, 200);
  assert.equal((await ask(bob, "POST /checks", check)).status, 403);
  assert.equal((await ask(alice, "POST /checks", check)).status, 403);
  assert.equal((await ask(carol, "POST /checks", check)).status, 200);
  const { body } = await ask(bob, "GET /accounts");
  const { limits } = body[bob.account.id];
  assert.deepEqual(limits.checks, { used: 2, limit: 2 });
  assert.equal(limits.subaccounts.used, 0);
});

test("the bytes of all records together have a limit; whoever is above may shrink them", async () => {
  await using cast = await createApiFixture({ limits: { configuration: 60_000 } });
  const { ask, alice, store } = cast;
  const check = { type: "HTTPADV", target: "http://example.com/", postdata: "x".repeat(25_000) };
  const { body } = await ask(alice, "POST /checks", check);
  assert.equal((await ask(alice, "POST /checks", check)).status, 200);
  const refused = await ask(alice, "POST /checks", check);
  assert.deepEqual(
    [refused.status, refused.body.error],
    [403, sentence("60000 bytes of configuration", "configuration")],
  );
  const longer = await ask(alice, `PUT /checks/${body._id}`, { postdata: "x".repeat(50_000) });
  assert.equal(longer.status, 403);
  assert.equal((await ask(alice, `PUT /checks/${body._id}`, { postdata: "x" })).status, 200);
  assert.ok(((await store.usage.of(alice.account.id)).configuration ?? 0) < 30_000);
});

test("an account that comes near a limit is logged once", async () => {
  await using cast = await createApiFixture({ limits: { checks: 5 } });
  const { ask, alice, logged } = cast;
  const near = () => logged.filter((line) => line.includes("api.limit_near")).length;
  const check = { type: "PORT", target: "example.com", port: 1 };
  const counts: number[] = [];
  for (let count = 1; count <= 5; count += 1) {
    await ask(alice, "POST /checks", check);
    counts.push(near());
  }
  assert.deepEqual(counts, [0, 0, 0, 1, 1]);
});
