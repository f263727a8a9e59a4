import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";
import { aResult } from "../../../../test/record-builders.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A check of Alice's with a result every ten minutes for two days up to now. */
async function checkWithResults(cast: ApiFixture): Promise<string> {
  const made = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, enabled: true });
  const id: string = made.body._id;
  const found = await cast.store.checks.find(cast.alice.account.id, id);
  assert.ok(found);
  await cast.clock.advance(2 * DAY_MS);
  const now = cast.clock.now();
  for (let at = now - 2 * DAY_MS + 1; at < now; at += 10 * MINUTE_MS)
    await cast.store.append(
      aResult(found.check.no, at, {
        revision: found.check.runRevision,
        location: at % (20 * MINUTE_MS) === 1 ? "fra" : "nyc",
        runtimeMs: 40,
        timings: { dns: 5, connect: 15.5, firstByte: 30, total: 40 },
      }),
    );
  return id;
}

test("a day is shown by stretches of ten minutes, more by hours", async () => {
  await using cast = await createApiFixture();
  const id = await checkWithResults(cast);
  const now = cast.clock.now();
  const { body: short } = await cast.ask(cast.alice, `GET /results/history/${id}`);
  assert.equal(short.step, "10min");
  assert.ok(now - short.end <= 0 && short.end - short.start === DAY_MS);
  const { body } = await cast.ask(
    cast.alice,
    `GET /results/history/${id}?start=${now - 2 * DAY_MS}&end=now`,
  );
  assert.equal(body.step, "hour");
  const [series] = body.series;
  assert.equal(series.t.length, 48);
  assert.deepEqual(series.t[0], now - 2 * DAY_MS);
  assert.deepEqual(series.runs, Array(48).fill(6));
  assert.deepEqual(series.failures, Array(48).fill(0));
  for (const name of ["min", "median", "p95", "max", "mean"])
    assert.deepEqual(series[name], Array(48).fill(40), name);
  const total = { runs: 288, failures: 0, min: 40, median: 40, p95: 40, max: 40, mean: 40 };
  assert.deepEqual(series.total, total);
  const phases = Object.entries<readonly number[]>(series.phases);
  assert.deepEqual(
    phases.map(([name, means]) => [name, means[7]]),
    [
      ["dns", 5],
      ["connect", 10.5],
      ["tls", 0],
      ["firstbyte", 14.5],
      ["rest", 10],
    ],
  );
});

test("each location has a series of its own where that is asked for", async () => {
  await using cast = await createApiFixture();
  const id = await checkWithResults(cast);
  const path = `/results/history/${id}?start=${cast.clock.now() - 2 * DAY_MS}`;
  const { body } = await cast.ask(cast.alice, `GET ${path}&bylocation=true&step=day`);
  const runs = body.series.map(({ location, runs }: { location: string; runs: number[] }) => [
    location,
    runs.reduce((sum, count) => sum + count, 0),
  ]);
  assert.deepEqual(runs, [
    ["fra", 144],
    ["nyc", 144],
  ]);
});

test("nobody else sees them", async () => {
  await using cast = await createApiFixture();
  const id = await checkWithResults(cast);
  for (const stranger of [cast.bob, cast.carol])
    assert.equal((await cast.ask(stranger, `GET /results/history/${id}`)).status, 404);
});

test("stretches without a run are left out, and without a time are null", async () => {
  await using cast = await createApiFixture();
  const made = await cast.ask(cast.alice, "POST /checks", { ...plainCheck, enabled: true });
  const found = await cast.store.checks.find(cast.alice.account.id, made.body._id);
  assert.ok(found);
  const at = cast.clock.now();
  const failure = { passed: false, reason: "timeout", runtimeMs: 5000 } as const;
  await cast.store.append(aResult(found.check.no, at, failure));
  await cast.clock.advance(3 * HOUR_MS);
  const { body } = await cast.ask(cast.alice, `GET /results/history/${made.body._id}?step=hour`);
  assert.deepEqual(body.series, [
    {
      t: [at],
      runs: [1],
      failures: [1],
      min: [null],
      median: [null],
      p95: [null],
      max: [null],
      mean: [null],
      phases: { dns: [null], connect: [null], tls: [null], firstbyte: [null], rest: [null] },
      total: { runs: 1, failures: 1, min: null, median: null, p95: null, max: null, mean: null },
    },
  ]);
});

for (const [query, error] of [
  ["start=2000000&end=1000000", /^end: must not be before start$/],
  ["start=0&step=10min", /^start: at most 2 days before end with step 10min$/],
  ["start=0&step=hour", /^start: at most 100 days before end with step hour$/],
  ["start=0", /^start: at most 3700 days before end with step day$/],
  ["step=minute", /^step: must be one of 10min, hour, day$/],
] as const) {
  test(`a history by ${query} is refused`, async () => {
    await using cast = await createApiFixture();
    const id = (await cast.ask(cast.alice, "POST /checks", plainCheck)).body._id;
    const { status, body } = await cast.ask(cast.alice, `GET /results/history/${id}?${query}`);
    assert.equal(status, 400);
    assert.match(body.error, error);
  });
}
