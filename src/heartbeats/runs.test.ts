import assert from "node:assert/strict";
import { test } from "node:test";

import { heartbeatPath, pushHarness } from "../../test/harnesses/push-harness.ts";
import { alice, minute } from "../../test/record-builders.ts";
import { stepUntil } from "../../test/time/wait-for.ts";
import { failed } from "../domain/run/outcome.ts";

type Site = Awaited<ReturnType<typeof pushHarness>>;

const get = (site: Site, after: string): ReturnType<Site["send"]> =>
  site.send(undefined, { method: "GET", path: heartbeatPath + after });

async function minutesUntilFailing({ clock, state }: Site): Promise<number> {
  const from = clock.monotonic();
  await stepUntil("a run takes too long", async () => {
    await clock.advance(minute / 4);
    return (await state()) === "failing";
  });
  return (clock.monotonic() - from) / minute;
}

test("the run time of a result is that from its start, which is no result itself", async () => {
  await using site = await pushHarness();
  for (const [end, passes] of [
    ["", true],
    ["/0", true],
    ["/1", false],
    ["/fail", false],
  ] as const) {
    assert.deepEqual(await get(site, "/start"), { status: 200, body: "OK" });
    const before = (await site.results()).length;
    await site.clock.advance(1500);
    await get(site, end);
    const results = await site.results();
    assert.equal(results.length, before + 1);
    const { passed, runtimeMs } = results.at(-1) ?? assert.fail();
    assert.deepEqual([passed, runtimeMs], [passes, 1500]);
    await site.clock.advance(minute);
  }
  await get(site, "");
  assert.equal((await site.results()).at(-1)?.runtimeMs, 0, "its run was over");
});

test("runs that go on at one time are distinguished by their ids", async () => {
  await using site = await pushHarness();
  await get(site, "/start?rid=a");
  await site.clock.advance(1000);
  await get(site, "/start?rid=b");
  await site.clock.advance(1000);
  await get(site, "/0?rid=b");
  await site.clock.advance(1000);
  await get(site, "/0?rid=a");
  await get(site, "/0?rid=a&ping=7");
  assert.deepEqual(
    (await site.results()).map(({ runtimeMs }) => runtimeMs),
    [1000, 3000, 7],
  );
});

test("a start does not show that its check is alive", async () => {
  await using site = await pushHarness({ rechecks: 1, parameters: { oldresultfail: true } });
  site.watch();
  await get(site, "");
  await site.clock.advance(minute / 2);
  await get(site, "/start");
  const minutes = await minutesUntilFailing(site);
  assert.ok(minutes <= 0.75, String(minutes));
});

for (const { name, parameters, after } of [
  { name: "maxruntime", parameters: { maxruntime: 1 }, after: 1 },
  { name: "the grace time", parameters: { grace: 0.5 }, after: 0.5 },
  { name: "maxruntime, not the grace time", parameters: { grace: 5, maxruntime: 0.5 }, after: 0.5 },
])
  test(`a run that has not ended within ${name} fails its check once, also one without a result`, async () => {
    await using site = await pushHarness({ intervalMinutes: 60, parameters });
    site.watch();
    await get(site, "/start");
    const minutes = await minutesUntilFailing(site);
    assert.ok(minutes >= after && minutes <= after + 0.5, String(minutes));
    const [first] = await site.results();
    const { reason, text, message } = first ?? assert.fail();
    assert.deepEqual([reason, text], ["timeout", "Run takes too long"]);
    assert.equal(
      message,
      `The run that began at 2026-01-05T12:00:00.000Z has not ended within ${after} minutes`,
    );
    await site.clock.advance(minute);
    assert.equal((await site.results()).length, 1);
    await get(site, "/0");
    assert.equal(await site.state(), "passing");
    assert.ok(((await site.results()).at(-1)?.runtimeMs ?? 0) > after * minute);
    await site.clock.advance(minute);
    assert.equal(await site.state(), "passing");
  });

test("a run that ends in time, or whose end is more than five a minute, fails nothing", async () => {
  await using site = await pushHarness({ parameters: { maxruntime: 1 } });
  site.watch();
  await get(site, "");
  for (let count = 0; count < 4; count += 1) await get(site, "/start");
  assert.equal((await get(site, "/0")).status, 409);
  await site.clock.advance(2 * minute);
  assert.equal(await site.state(), "passing");
});

test("a check waits for the end of a run that began in time, where it has a longest run time", async () => {
  await using site = await pushHarness({
    parameters: { cron: "1 12 * * *", grace: 0.5, maxruntime: 3 },
  });
  site.watch();
  await get(site, "");
  await site.clock.advance(minute);
  await get(site, "/start");
  await site.clock.advance(2.5 * minute);
  assert.equal(await site.state(), "passing");
  const minutes = await minutesUntilFailing(site);
  assert.ok(minutes <= 1, String(minutes));
  assert.equal((await site.results()).at(-1)?.passed, false);
});

test("time in which its end could not be received does not count for a run", async () => {
  await using site = await pushHarness({ parameters: { maxruntime: 1 } });
  site.watch();
  await get(site, "/start");
  await site.clock.advance(minute / 2);
  const end = site.interruptions.begin("listener");
  await site.clock.advance(minute);
  end();
  await site.clock.advance(minute - 2000);
  assert.equal(await site.state(), undefined);
  await minutesUntilFailing(site);
});

test("a run goes on while its check is changed", async () => {
  await using site = await pushHarness();
  await get(site, "/start");
  await site.put({ label: "read again" });
  await site.clock.advance(2000);
  await get(site, "/0");
  assert.equal((await site.results()).at(-1)?.runtimeMs, 2000);
});

test("silence and a run that takes too long, both noticed at one time, are one result", async () => {
  await using site = await pushHarness();
  await get(site, "/0");
  const state = (await site.heartbeats.findAnew(`${alice.id}-PUSHED`)) ?? assert.fail();
  const fail = (): Promise<boolean> =>
    site.heartbeats.failStale(state, failed("stale", "Results are old", ""), async () => true);
  assert.deepEqual(await Promise.all([fail(), fail()]), [true, false]);
  assert.deepEqual(
    (await site.results()).map(({ passed }) => passed),
    [true, false],
  );
});
