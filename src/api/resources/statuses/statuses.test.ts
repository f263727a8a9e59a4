import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";
import { aFlip, anAlert, aResult, minute } from "../../../../test/record-builders.ts";

/** A check of Alice's; what the store knows of it. */
async function made(cast: ApiFixture, parameters: object) {
  const { body } = await cast.ask(cast.alice, "POST /checks", { enabled: true, ...parameters });
  const found = await cast.store.checks.find(cast.alice.account.id, body._id);
  assert.ok(found, JSON.stringify(body));
  return found.check;
}

test("a list says of each check how it is, and leaves out what is usual", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, store, clock } = cast;
  const began = clock.now();
  const plain = await made(cast, { ...plainCheck, label: "Plain" });
  const down = await made(cast, {
    ...plainCheck,
    target: "https://ann:secret@x.example/?key=secret",
    tags: "a,b",
    mute: true,
    dep: plain.id,
  });
  const off = await made(cast, { ...plainCheck, enabled: false });
  await store.write(async ({ states }) => {
    await states.flip(aFlip(plain.no, { id: "first", to: "passing" }));
    await states.flip(aFlip(down.no, { id: "outage", since: began + 5 }));
  });
  await store.append(aResult(plain.no, began + 9, { runtimeMs: 12 }));
  const { body, text } = await ask(alice, "GET /statuses");
  const common = { type: "HTTP", interval: 15 };
  assert.deepEqual(body, [
    {
      ...common,
      id: plain.id,
      label: "Plain",
      target: "http://example.com/",
      status: "up",
      since: began,
      run: began + 9,
      ms: 12,
    },
    {
      ...common,
      id: down.id,
      label: down.label,
      target: "https://x.example/",
      status: "down",
      since: began + 5,
      tags: ["a", "b"],
      mute: true,
      dep: plain.id,
    },
    {
      ...common,
      id: off.id,
      label: off.label,
      target: "http://example.com/",
      status: "paused",
      since: began,
    },
  ]);
  assert.ok(!text.includes("secret"));
  assert.deepEqual((await ask(alice, `GET /statuses/${down.id}`)).body, [body[1]]);
  assert.deepEqual((await ask(alice, `GET /statuses?id=${off.id},${plain.id},none`)).body, [
    body[0],
    body[2],
  ]);
  assert.equal((await ask(alice, "GET /statuses/none")).status, 404);
});

test("a heartbeat that is overdue makes its check late, and says when it was expected", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, store, clock } = cast;
  const push = await made(cast, { type: "PUSH", interval: 1, grace: 10 });
  await store.write(({ states }) => states.flip(aFlip(push.no, { to: "passing" })));
  const at = clock.now();
  await store.append(aResult(push.no, at));
  const shown = async () => (await ask(alice, "GET /statuses")).body[0];
  assert.deepEqual([(await shown()).status, (await shown()).expected], ["up", at + minute]);
  await clock.advance(minute + 1);
  assert.deepEqual([(await shown()).status, (await shown()).since], ["late", at + minute]);
  const { body } = await ask(alice, "GET /statuses/overview");
  assert.deepEqual(body.counts.late, 1);
  assert.deepEqual(body.ending, [
    { id: push.id, label: push.label, kind: "heartbeat", at: at + minute },
  ]);
});

test("the run times of the last hours are medians, and null where nothing ran", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, store, clock } = cast;
  const check = await made(cast, plainCheck);
  const hour = clock.now() - (clock.now() % 3_600_000);
  for (const [index, runtimeMs] of [10, 20, 1000].entries())
    await store.append(aResult(check.no, hour - 3_600_000 + index, { runtimeMs }));
  const { body } = await ask(alice, `GET /statuses/runtimes?id=${check.id},none`);
  assert.deepEqual([body.start, Object.keys(body.checks)], [hour - 23 * 3_600_000, [check.id]]);
  const medians: readonly (number | null)[] = body.checks[check.id];
  assert.deepEqual([medians.length, medians.filter((each) => each !== null).length], [24, 1]);
  assert.ok(Math.abs((medians[22] ?? 0) - 20) <= 1, String(medians[22]));
  assert.equal((await ask(alice, "GET /statuses/runtimes/none")).status, 404);
});

test("the list is sent again only where it has changed", async () => {
  await using cast = await createApiFixture();
  const { app, alice } = cast;
  await made(cast, plainCheck);
  const get = (headers: Readonly<Record<string, string>> = {}) =>
    app.inject({
      url: "/api/1/statuses",
      headers: { authorization: `Bearer ${alice.token}`, ...headers },
    });
  const first = await get();
  assert.equal(first.headers["cache-control"], "private, no-cache");
  const etag = String(first.headers.etag);
  const again = await get({ "if-none-match": etag });
  assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, "", etag]);
  await made(cast, plainCheck);
  assert.equal((await get({ "if-none-match": etag })).statusCode, 200);
});

test("the overview says what is down, why, who was alerted and who acknowledged it, and how the monitoring is", async () => {
  await using cast = await createApiFixture({ unready: () => ["no location is live"] });
  const { ask, alice, bob, store, clock } = cast;
  const began = clock.now();
  const down = await made(cast, { ...plainCheck, label: "Shop" });
  const other = await made(cast, { ...plainCheck, label: "Blog" });
  await made(cast, { ...plainCheck, enabled: false });
  const { id: contactId, addresses } = alice.contact;
  const addressId = addresses[0]?.id ?? "";
  await store.write(async ({ states, alerts, evidence }) => {
    await states.flip(aFlip(down.no, { id: "one", since: began + 1 }));
    await states.flip(aFlip(other.no, { id: "two", since: began + 2 }));
    const recipient = { contactId, addressId, outage: "one", flipId: "one", dueAt: began };
    await alerts.insert(anAlert("alert", down, recipient));
    await evidence.record({
      checkNo: down.no,
      startedAt: began + 1,
      flipped: true,
      text: "Bad gateway",
    });
    await states.recordGap(other.no, {
      kind: "undecided",
      reason: "offline",
      message: "no location",
      firstTick: 1,
      lastTick: 2,
      ticks: 2,
    });
    await evidence.recordCertificate({
      checkNo: down.no,
      location: "fra",
      observedAt: began,
      subject: "shop",
      issuer: "",
      validTo: began + 86_400_000,
    });
  });
  await ask(alice, `POST /checks/acknowledge/${other.id}`, { by: "Ann" });
  const { body } = await ask(alice, "GET /statuses/overview");
  assert.deepEqual(body.counts, {
    up: 0,
    down: 2,
    late: 0,
    maintenance: 0,
    paused: 1,
    unknown: 0,
  });
  assert.deepEqual(body.longest, { id: down.id, label: "Shop", since: began + 1 });
  const [latest, first] = body.down;
  assert.deepEqual(
    [latest.label, latest.acknowledged.by, first.label, first.result, first.message, first.answer],
    ["Blog", "Ann", "Shop", "Refused", "connection refused", "Bad gateway"],
  );
  assert.deepEqual(first.alerts, [{ name: "Alice", type: "email", status: "waiting" }]);
  assert.deepEqual(body.ending, [
    { id: down.id, label: "Shop", kind: "certificate", at: began + 86_400_000 },
  ]);
  assert.deepEqual(
    body.troubles.map(({ label, reason, count }: Record<string, unknown>) => [
      label,
      reason,
      count,
    ]),
    [["Blog", "offline", 2]],
  );
  assert.deepEqual(body.service, {
    ready: false,
    reasons: ["no location is live"],
    problems: [],
    commitms: 0,
    locations: ["fra"],
    alerts: 1,
  });
  const { body: bobs } = await ask(bob, "GET /statuses/overview");
  assert.deepEqual([bobs.down, bobs.ending, bobs.troubles, bobs.service.alerts], [[], [], [], 0]);
});
