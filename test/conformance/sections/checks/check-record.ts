import assert from "node:assert/strict";

import { plainCheck, type TestResponse } from "../../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../../fixture.ts";
import { failingData, loadField, pushedCheck, healthyData } from "../../check-drivers.ts";

/** The answer to the creation of a check of Alice's. */
async function created(
  { ask, alice }: ConformanceFixture,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  return (await ask(alice, "POST /checks", { ...plainCheck, ...parameters })).body;
}

async function changed({ ask, alice }: ConformanceFixture, id: string, parameters: object) {
  return (await ask(alice, `PUT /checks/${id}`, parameters)).body;
}

async function read({ ask, alice }: ConformanceFixture, id: string): Promise<TestResponse["body"]> {
  return (await ask(alice, `GET /checks/${id}`)).body;
}

export const checkRecord = {
  _id: async (cast) => {
    const { _id } = await created(cast);
    assert.match(_id, new RegExp(`^${cast.alice.account.id}-[A-Z0-9]{8}$`));
    assert.equal((await read(cast, _id))._id, _id);
  },

  _rev: async (cast) => {
    const { _id, _rev } = await created(cast);
    assert.match(_rev, /^1-[0-9a-f]{32}$/);
    assert.equal((await read(cast, _id))._rev, _rev);
    const later = await changed(cast, _id, { label: "later" });
    assert.match(later._rev, /^2-[0-9a-f]{32}$/);
  },

  customer_id: async (cast) => {
    const { alice, bob } = cast;
    for (const { account } of [alice, bob])
      assert.equal((await created(cast, { customerid: account.id })).customer_id, account.id);
  },

  label: async (cast) => {
    const { _id, label } = await created(cast, { label: "Zoë's shop" });
    assert.equal(label, "Zoë's shop");
    assert.equal((await read(cast, _id)).label, "Zoë's shop");
  },

  type: async (cast) => {
    const { _id } = await created(cast, { type: "PING", target: "example.com" });
    assert.equal((await read(cast, _id)).type, "PING");
  },

  interval: async (cast) => {
    const { _id } = await created(cast, { interval: "1440" });
    assert.equal((await read(cast, _id)).interval, 1440);
    const { _id: often, ...made } = await created(cast, { interval: 0.5 });
    const shown = cast.mode === "legacy" ? 1 : 0.5;
    assert.deepEqual([made.interval, made.intervalseconds], [shown, 30]);
    const { interval, intervalseconds } = await changed(cast, often, await read(cast, often));
    assert.deepEqual([interval, intervalseconds], [shown, 30], "a record that is sent back");
    assert.equal((await changed(cast, often, { interval: 5 })).intervalseconds, 300);
  },

  notifications: async (cast) => {
    const notifications = [{ [cast.alice.contact.id]: "Weekdays" }];
    const { _id } = await created(cast, { notifications });
    const inLongForm = [{ [cast.alice.contact.id]: { delay: 0, schedule: "Weekdays" } }];
    const shown = cast.mode === "legacy" ? inLongForm : notifications;
    assert.deepEqual((await read(cast, _id)).notifications, shown);
    assert.deepEqual((await changed(cast, _id, await read(cast, _id))).notifications, shown);
  },

  status: async (cast) => {
    const { _id, status } = await created(cast);
    assert.equal(status, "modified");
    assert.equal((await read(cast, _id)).status, "assigned");
    assert.equal((await changed(cast, _id, { label: "later" })).status, "modified");
  },

  modified: async (cast) => {
    const { clock } = cast;
    const { _id, modified } = await created(cast);
    assert.equal(modified, clock.now());
    await clock.advance(5000);
    await changed(cast, _id, { label: "later" });
    assert.equal((await read(cast, _id)).modified, clock.now());
  },

  created: async (cast) => {
    const { clock } = cast;
    const now = clock.now();
    const { _id } = await created(cast);
    await clock.advance(5000);
    await changed(cast, _id, { label: "later" });
    assert.equal((await read(cast, _id)).created, now);
  },

  "enable and enabled": async (cast) => {
    const { _id } = await created(cast);
    assert.equal((await read(cast, _id)).enable, "inactive");
    assert.equal((await changed(cast, _id, { enabled: "true" })).enabled, "active");
    assert.equal((await read(cast, _id)).enable, "active");
  },

  public: async (cast) => {
    const { _id } = await created(cast);
    assert.equal((await read(cast, _id)).public, false);
    await changed(cast, _id, { public: "true" });
    assert.equal((await read(cast, _id)).public, true);
  },

  parameters: async (cast) => {
    const { _id } = await created(cast, {
      type: "SSH",
      target: "ssh.example.com",
      threshold: "10",
      sens: "3",
      port: 2222,
      username: "ann",
      password: "s3cret",
      contentstring: "ready",
      invert: "true",
    });
    // Threshold and sens are numbers in whichever form they come; the others are as they were sent.
    assert.deepEqual((await read(cast, _id)).parameters, {
      target: "ssh.example.com",
      threshold: 10,
      sens: 3,
      port: 2222,
      username: "ann",
      password: "s3cret",
      contentstring: "ready",
      invert: "true",
    });
  },

  queue: async (cast) => {
    for (const enabled of [true, false]) {
      const { _id } = await created(cast, { enabled });
      assert.match((await read(cast, _id)).queue, /^[A-Za-z0-9]{10}$/);
    }
  },

  uuid: async (cast) => {
    const { _id, uuid } = await created(cast);
    assert.match(uuid, /^[a-z0-9]{8}-[a-z0-9]{4}-4[a-z0-9]{3}-8[a-z0-9]{3}-[a-z0-9]{12}$/);
    assert.equal((await read(cast, _id)).uuid, uuid);
  },

  state: async (cast) => {
    const { id, heartbeat } = await pushedCheck(cast, loadField);
    assert.ok(!("state" in (await read(cast, id))), "none before the first result");
    await heartbeat(healthyData);
    assert.equal((await read(cast, id)).state, 1);
    await heartbeat(failingData);
    assert.equal((await read(cast, id)).state, 0);
  },

  firstdown: async (cast) => {
    const { clock, noFirstDown } = cast;
    const { id, heartbeat } = await pushedCheck(cast, loadField);
    await heartbeat(healthyData);
    assert.equal((await read(cast, id)).firstdown, noFirstDown);
    await clock.advance(60_000);
    const downAt = clock.now();
    await heartbeat(failingData);
    await clock.advance(60_000);
    await heartbeat(failingData);
    assert.equal((await read(cast, id)).firstdown, downAt);
    await heartbeat(healthyData);
    assert.equal((await read(cast, id)).firstdown, noFirstDown);
  },

  lastresult: async (cast) => {
    const { ask, alice, clock } = cast;
    const { id, heartbeat } = await pushedCheck(cast, loadField);
    const request = `GET /checks/${id}?lastresult=true`;
    assert.ok(!("lastresult" in (await ask(alice, request)).body), "none before the first result");
    await heartbeat(healthyData);
    await clock.advance(60_000);
    await heartbeat(failingData);
    const { body: check } = await ask(alice, request);
    const { body: results } = await ask(alice, `GET /results/${id}`, { clean: true });
    assert.deepEqual([check.lastresult.su, results.length], [false, 2]);
    assert.deepEqual(check.lastresult, results[0]);
    assert.ok(!("lastresult" in (await read(cast, id))), "only on request");
  },

  "current events": async (cast) => {
    const { ask, alice, clock } = cast;
    const { _id: off } = await created(cast, { label: "off" });
    const disabledAt = clock.now();
    const { id: down, heartbeat } = await pushedCheck(cast, { ...loadField, label: "down" });
    await heartbeat(failingData);
    const { firstdown } = await read(cast, down);
    const { body: all } = await ask(alice, "GET /checks?current=true");
    assert.deepEqual(all[off].events, [{ type: "disabled", label: "off", t: disabledAt }]);
    assert.deepEqual(all[down].events, [{ type: "down", label: "down", t: firstdown }]);
    await heartbeat(healthyData);
    const { body: later } = await ask(alice, "GET /checks?current=true");
    assert.ok(!("events" in later[down]));
    const { body: plain } = await ask(alice, "GET /checks");
    assert.ok(!("events" in plain[off]), "only on request");
  },

  "a PUSH check's record": async (cast) => {
    const { id } = await pushedCheck(cast, {
      ...loadField,
      interval: 2,
      sens: 3,
      oldresultfail: true,
    });
    const { type, interval, enable, parameters } = await read(cast, id);
    assert.deepEqual([type, interval, enable], ["PUSH", 2, "active"]);
    const { checktoken, ...rest } = parameters;
    assert.match(checktoken, /^[A-Z0-9]{8}-[A-Z0-9]{4}-4[A-Z0-9]{3}-8[A-Z0-9]{3}-[A-Z0-9]{12}$/);
    assert.deepEqual(rest, { threshold: 5, sens: 3, oldresultfail: true, ...loadField });
    const reset = await changed(cast, id, { checktoken: "reset" });
    assert.notEqual(reset.parameters.checktoken, checktoken);
  },
} satisfies RowTests<"2.7 check">;
