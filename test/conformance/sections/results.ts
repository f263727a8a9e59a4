import assert from "node:assert/strict";

import { plainCheck, type TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { failingData, loadField, pushedCheck, healthyData } from "../check-drivers.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const missing = "Unable to find that check";

/** A check of Alice's with one result an hour, the last of them now; gives its id and when they ran, newest first. */
async function hourly(cast: ConformanceFixture, count: number) {
  const { id, heartbeat } = await pushedCheck(cast);
  const runs: number[] = [];
  while (runs.length < count) {
    await cast.clock.advance(HOUR_MS);
    await heartbeat();
    runs.unshift(cast.clock.now());
  }
  return { id, runs };
}

async function cleanResults(
  { ask, alice }: ConformanceFixture,
  id: string,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  return (await ask(alice, `GET /results/${id}`, { clean: true, ...parameters })).body;
}

/** When the results ran that are given. */
async function runsOf(
  cast: ConformanceFixture,
  id: string,
  parameters: object,
): Promise<readonly number[]> {
  return (await cleanResults(cast, id, parameters)).map(({ s }: { s: number }) => s);
}

/**
 * A check of Alice's that was made on 5 January at noon and failed from 22:00 for four hours, at noon of 6 February.
 */
async function failedOnce(cast: ConformanceFixture): Promise<string> {
  const { clock } = cast;
  const { id, heartbeat } = await pushedCheck(cast, loadField);
  const until = (instant: string): Promise<void> =>
    clock.advance(Date.parse(instant) - clock.now());
  await heartbeat(healthyData);
  await until("2026-01-05T22:00Z");
  await heartbeat(failingData);
  await until("2026-01-06T02:00Z");
  await heartbeat(healthyData);
  await until("2026-02-06T12:00Z");
  return id;
}

async function uptime(
  { ask, alice }: ConformanceFixture,
  id: string,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  return (await ask(alice, `GET /results/uptime/${id}`, parameters)).body;
}

export const results = {
  "get: id is required": async (cast) => {
    const { ask, alice, carol, refused } = cast;
    const { id, runs } = await hourly(cast, 2);
    for (const request of [`GET /results/${id}`, `GET /results?id=${id}`])
      assert.equal((await ask(alice, request)).body.length, runs.length);
    refused(await ask(alice, "GET /results"), 400, "id: required");
    refused(await ask(carol, `GET /results/${id}`), 404, missing);
  },

  "get: customerid": async (cast) => {
    const { ask, alice, bob, refused } = cast;
    const { id, heartbeat } = await pushedCheck(cast, {}, bob);
    await heartbeat();
    refused(await ask(alice, `GET /results/${id}`), 404, missing);
    const [result] = await cleanResults(cast, id, { customerid: bob.account.id });
    assert.equal(result.ci, bob.account.id);
  },

  "get: span": async (cast) => {
    const { id, runs } = await hourly(cast, 4);
    assert.deepEqual(await runsOf(cast, id, { span: 2 }), runs.slice(0, 3));
    assert.deepEqual(await runsOf(cast, id, {}), runs);
  },

  "get: limit": async (cast) => {
    const { id, runs } = await hourly(cast, 4);
    assert.deepEqual(await runsOf(cast, id, { limit: 3 }), runs.slice(0, 3));
  },

  "get: start and end": async (cast) => {
    const { id, runs } = await hourly(cast, 4);
    const [, second, third] = runs;
    assert.deepEqual(await runsOf(cast, id, { start: third }), runs.slice(0, 3));
    assert.deepEqual(await runsOf(cast, id, { end: second }), runs.slice(1));
    assert.deepEqual(await runsOf(cast, id, { start: third, end: second }), [second, third]);
  },

  "get: clean": async (cast) => {
    const { id } = await hourly(cast, 2);
    const clean = await cleanResults(cast, id, { clean: "true" });
    const old = await cleanResults(cast, id, { clean: "false" });
    assert.equal(clean[0].jobid, id);
    assert.deepEqual(
      old,
      clean.map((doc: { _id: string }) => ({ _id: doc._id, doc })),
    );
  },

  "uptime: interval": async (cast) => {
    const id = await failedOnce(cast);
    const months = ["2026-01", "2026-02", "total"];
    assert.deepEqual(Object.keys(await uptime(cast, id)), months);
    assert.deepEqual(Object.keys(await uptime(cast, id, { interval: "months" })), months);
    const days = await uptime(cast, id, { interval: "days" });
    assert.equal(Object.keys(days).length, 27 + 6 + 1);
    assert.deepEqual(
      [days["2026-01-05"].down, days["2026-01-06"].down],
      [2 * HOUR_MS, 2 * HOUR_MS],
    );
  },

  "uptime: start": async (cast) => {
    const id = await failedOnce(cast);
    const { total } = await uptime(cast, id);
    assert.deepEqual([total.enabled, total.down], [32 * 24 * HOUR_MS, 4 * HOUR_MS]);
    const later = await uptime(cast, id, { start: "2026-01-06 01:00:00" });
    assert.deepEqual([later.total.enabled, later.total.down], [(31 * 24 + 11) * HOUR_MS, HOUR_MS]);
  },

  "uptime: end": async (cast) => {
    const id = await failedOnce(cast);
    const days = { interval: "days", start: "2026-01-05" };
    const { total } = await uptime(cast, id);
    assert.deepEqual((await uptime(cast, id, days)).total, total, "now where there is none");
    const { total: early, ...rest } = await uptime(cast, id, { ...days, end: "2026-01-07" });
    assert.deepEqual(Object.keys(rest), ["2026-01-05", "2026-01-06"]);
    assert.deepEqual([early.enabled, early.down], [36 * HOUR_MS, 4 * HOUR_MS]);
  },

  current: async (cast) => {
    const { ask, alice, bob, clock } = cast;
    const customerid = bob.account.id;
    const { id, heartbeat } = await pushedCheck(cast, { ...loadField, label: "Shop" });
    await pushedCheck(cast);
    await heartbeat(failingData);
    const down = { type: "down", label: "Shop", t: clock.now() };
    const { body: his } = await ask(alice, "POST /checks", { ...plainCheck, customerid });
    const current = async (parameters: object): Promise<object> =>
      (await ask(alice, "GET /results/current", parameters)).body;
    assert.deepEqual(await current({}), { [id]: down });
    assert.deepEqual(await current({ customerid }), {
      [his._id]: { type: "disabled", label: his.label, t: clock.now() },
    });
  },

  "rule 1: span and limit": async (cast) => {
    const { id, runs } = await hourly(cast, 4);
    assert.deepEqual(await runsOf(cast, id, { span: 2, limit: 1 }), runs.slice(0, 1));
    assert.deepEqual(await runsOf(cast, id, { span: 1, limit: 4 }), runs.slice(0, 2));
  },

  "rule 2: forms of start and end": async (cast) => {
    const { clock } = cast;
    const { id, runs } = await hourly(cast, 4);
    assert.equal(clock.now(), Date.parse("2026-01-05T16:00Z"));
    for (const start of [
      Date.parse("2026-01-05T15:00Z"),
      String(Date.parse("2026-01-05T15:00Z")),
      "Mon, 05 Jan 2026 15:00:00 GMT",
      "Mon, 05 Jan 2026 17:00:00 +0200",
      "2026-01-05 15:00:00",
      "2026-01-05 11:00:00 GMT-0400",
      "2026-01-05T15:00:00Z",
    ]) {
      assert.deepEqual(await runsOf(cast, id, { start }), runs.slice(0, 2), String(start));
      assert.deepEqual(await runsOf(cast, id, { end: start }), runs.slice(1), String(start));
    }
  },

  "rule 3: start and end, not with span, swapped": async (cast) => {
    const { ask, alice, refused } = cast;
    const { id, runs } = await hourly(cast, 4);
    const [last, , , first] = runs;
    for (const range of [{ start: first }, { end: last }])
      refused(
        await ask(alice, `GET /results/${id}`, { span: 1, ...range }),
        400,
        "span: not to be used with start or end",
      );
    assert.deepEqual(
      await runsOf(cast, id, { start: first, end: last, limit: 2 }),
      runs.slice(0, 2),
    );
    const swapped = { start: last, end: first };
    assert.deepEqual(await runsOf(cast, id, swapped), runs.toReversed());
    assert.deepEqual(
      await runsOf(cast, id, { ...swapped, limit: 2 }),
      runs.toReversed().slice(0, 2),
    );
  },

  "rule 4: limit 1 is clean": async (cast) => {
    const { ask, alice } = cast;
    const { id } = await hourly(cast, 2);
    const { body } = await ask(alice, `GET /results/${id}?limit=1`);
    assert.deepEqual(body, await cleanResults(cast, id, { limit: 1 }));
  },

  "rule 5: clean is false by default": async (cast) => {
    const { ask, alice } = cast;
    const { id } = await hourly(cast, 2);
    const old = await cleanResults(cast, id, { clean: false });
    assert.equal(old[0].doc.jobid, id);
    assert.deepEqual((await ask(alice, `GET /results/${id}`)).body, old);
  },
} satisfies RowTests<"4.8 results">;
