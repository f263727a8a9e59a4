import assert from "node:assert/strict";
import { test } from "node:test";

import { pushHarness } from "../../test/harnesses/push-harness.ts";
import { minute } from "../../test/record-builders.ts";
import { stepUntil } from "../../test/time/wait-for.ts";
import { Unavailable } from "../kit/errors.ts";

test("a check without heartbeats for longer than the interval times the rechecks fails the check once, and a heartbeat passes it", async () => {
  await using site = await pushHarness({ parameters: { oldresultfail: true } });
  site.watch();
  await site.send();
  await site.clock.advance(2 * minute - 1000);
  assert.equal(await site.state(), "passing");
  await stepUntil("the check is stale", async () => {
    await site.clock.advance(500);
    return (await site.state()) === "failing";
  });
  await site.clock.advance(10 * minute);
  const results = await site.results();
  assert.deepEqual(
    results.map(({ reason }) => reason),
    ["ok", "stale"],
  );
  assert.match(results[1]?.message ?? "", /^The last result is from 2026-01-05T12:00:00/);
  await site.send();
  assert.equal(await site.state(), "passing");
});

test("a check of a quarter of a minute is stale after that times the rechecks", async () => {
  await using site = await pushHarness({
    intervalMinutes: 0.25,
    rechecks: 2,
    parameters: { oldresultfail: true },
  });
  site.watch();
  await site.send();
  await site.clock.advance(29_000);
  assert.equal(await site.state(), "passing");
  await stepUntil("the check is stale", async () => {
    await site.clock.advance(500);
    return (await site.state()) === "failing";
  });
});

test("a check without the setting, or without a first result, never becomes stale", async () => {
  for (const { parameters, first } of [
    { parameters: {}, first: true },
    { parameters: { oldresultfail: true }, first: false },
  ]) {
    await using site = await pushHarness({ parameters });
    site.watch();
    if (first) await site.send();
    await site.clock.advance(10 * minute);
    assert.notEqual(await site.state(), "failing");
  }
});

test("a throttled heartbeat counts against staleness all the same", async () => {
  await using site = await pushHarness({ rechecks: 1, parameters: { oldresultfail: true } });
  site.watch();
  for (let count = 0; count < 5; count += 1) await site.send();
  await site.clock.advance(50_000);
  assert.equal((await site.send()).status, 409);
  await site.clock.advance(30_000);
  assert.equal(await site.state(), "passing");
});

test("while nothing can be stored a heartbeat is refused with 503, not lost, and that time does not count as staleness", async () => {
  let broken = false;
  const refuse = (): Promise<never> =>
    Promise.reject(new Unavailable("cannot store anything now: disk full"));
  await using site = await pushHarness(
    { rechecks: 1, parameters: { oldresultfail: true } },
    (store) => ({
      ...store,
      append: (...result) => (broken ? refuse() : store.append(...result)),
      write: (unit) => (broken ? refuse() : store.write(unit)),
    }),
  );
  site.watch();
  assert.equal((await site.send()).status, 200);
  await site.clock.advance(40_000);
  broken = true;
  assert.equal((await site.send()).status, 503);
  broken = false;
  await site.clock.advance(40_000);
  assert.equal(await site.state(), "passing");
  assert.equal((await site.results()).length, 1);
});

const watched = { rechecks: 1, parameters: { oldresultfail: true } };
type Site = Awaited<ReturnType<typeof pushHarness>>;

/** As the process does when the clock of its system was set. */
function setClock({ clock, interruptions }: Site, byMs: number): void {
  clock.step(byMs);
  interruptions.record("clock", clock.monotonic(), clock.monotonic());
}

/** How many ms it takes until the check fails. */
async function msUntilFailing({ clock, state }: Site): Promise<number> {
  const from = clock.monotonic();
  await stepUntil("the check is stale", async () => {
    await clock.advance(500);
    return (await state()) === "failing";
  });
  return clock.monotonic() - from;
}

// guard: time in which no heartbeat could be received
test("time in which nothing could be received does not count, and silence after it does", async () => {
  await using site = await pushHarness(watched);
  site.watch();
  await site.send();
  await site.clock.advance(50_000);
  const from = site.clock.monotonic();
  const end = site.interruptions.begin("listener");
  await site.clock.advance(80_000);
  end();
  site.interruptions.record("stalled", from, from + 70_000);
  assert.equal(await site.state(), "passing");
  const ms = await msUntilFailing(site);
  assert.ok(ms >= minute - 500 && ms < minute + 2000, String(ms));
});

// guard: time that a client waited for us
test("time in which what comes from the address of its last heartbeat waits to be read does not count", async () => {
  await using site = await pushHarness(watched);
  site.watch();
  await site.send();
  await site.clock.advance(59_500);
  const read = site.receiveGaps.waits("127.0.0.1");
  await site.clock.advance(20_000);
  read();
  assert.equal(await site.state(), "passing");
  const ms = await msUntilFailing(site);
  assert.ok(ms >= minute - 500 && ms < minute + 2000, String(ms));
});

test("what waits of another address, or for so short that no client can have felt it, restarts nothing", async () => {
  await using site = await pushHarness(watched);
  site.watch();
  await site.send();
  site.receiveGaps.waits("127.0.0.2");
  await site.clock.advance(50_000);
  const read = site.receiveGaps.waits("127.0.0.1");
  await site.clock.advance(900);
  read();
  const ms = await msUntilFailing(site);
  assert.ok(ms >= 9100 - 500 && ms < 9100 + 2000, String(ms));
});

test("an interruption that no client can have felt restarts nothing", async () => {
  await using site = await pushHarness(watched);
  site.watch();
  await site.send();
  await site.clock.advance(50_000);
  const now = site.clock.monotonic();
  site.interruptions.record("stalled", now - 900, now);
  assert.ok((await msUntilFailing(site)) < 12_000);
});

test("absence is judged once what has come was read: after a second in which the event loop was free, or ten", async () => {
  await using site = await pushHarness(watched);
  site.watch();
  await site.send();
  site.stall(600);
  await site.clock.advance(minute + 5000);
  assert.equal(await site.state(), "passing");
  site.stall(0);
  assert.ok((await msUntilFailing(site)) <= 2000);
  await site.send();
  site.stall(600);
  const ms = await msUntilFailing(site);
  assert.ok(ms >= minute + 9000 && ms < minute + 13_000, String(ms));
});

test("a clock that is set ahead fails nothing, and silence is seen in time while it is ahead and after it is back", async () => {
  for (const byMs of [60 * minute, -60 * minute]) {
    await using site = await pushHarness(watched);
    site.watch();
    await site.send();
    await site.clock.advance(30_000);
    setClock(site, byMs);
    await site.clock.advance(20_000);
    assert.equal(await site.state(), "passing");
    await site.send();
    const ms = await msUntilFailing(site);
    assert.ok(ms >= minute - 1000 && ms < minute + 2000, `${ms} after a step of ${byMs}`);
    await site.send();
    setClock(site, -byMs);
    assert.ok((await msUntilFailing(site)) < minute + 2000);
  }
});

// guard: results of the future
test("results of a clock that was ahead are no sign of life", async () => {
  await using site = await pushHarness(watched);
  site.clock.step(60 * minute);
  await site.send();
  site.clock.step(-60 * minute);
  await site.put({ label: "read again" });
  site.watch();
  assert.ok((await msUntilFailing(site)) < minute + 2000);
});

test("silence that meets a change of the check is judged again at once", async () => {
  await using site = await pushHarness(watched);
  site.watch();
  await site.send();
  await site.put({ label: "other" }, false);
  assert.ok((await msUntilFailing(site)) < minute + 3000);
  assert.deepEqual(
    (await site.results()).map(({ reason }) => reason),
    ["ok", "stale"],
  );
});

const everyFive = { intervalMinutes: 5, rechecks: 1, parameters: { oldresultfail: true } };

/** Records an interruption that ends now and lasted `ms`. */
function interrupt({ clock, interruptions }: Site, ms: number): void {
  interruptions.record("store", clock.monotonic() - ms, clock.monotonic());
}

test("interruptions start the wait again once, however many there are and however long each is", async () => {
  for (const [everyMinutes, lastedMs] of [
    [2.5, 5000],
    [0.5, 1000],
    [4, 40_000],
    [0.8, 10_000],
  ] as const) {
    await using site = await pushHarness(everyFive);
    site.watch();
    await site.send();
    const from = site.clock.monotonic();
    let lostMs = 0;
    // Two intervals and half a minute of time in which a heartbeat would have been received.
    while (site.clock.monotonic() - from - lostMs < 10.5 * minute) {
      assert.equal(await site.state(), "passing");
      const end = site.interruptions.begin("store");
      await site.clock.advance(lastedMs);
      end();
      lostMs += lastedMs;
      const leftMs = 10.5 * minute - (site.clock.monotonic() - from - lostMs);
      await site.clock.advance(Math.min(everyMinutes * minute, Math.max(leftMs, 0) + 3000));
    }
    assert.equal(await site.state(), "failing");
  }
});

test("nothing is judged while nothing can be heard", async () => {
  await using site = await pushHarness(everyFive);
  site.watch();
  await site.send();
  await site.clock.advance(4.9 * minute);
  interrupt(site, 5000);
  await site.clock.advance(4.9 * minute);
  const end = site.interruptions.begin("store");
  await site.clock.advance(20 * minute);
  assert.equal(await site.state(), "passing");
  end();
  // Ten and a half minutes minus 9.8, of which five seconds were lost.
  const ms = await msUntilFailing(site);
  assert.ok(ms >= 46_500 && ms < 49_500, String(ms));
});
