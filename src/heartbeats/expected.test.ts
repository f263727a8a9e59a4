import assert from "node:assert/strict";
import { test } from "node:test";

import { heartbeatPath, pushHarness } from "../../test/harnesses/push-harness.ts";
import { alice, minute } from "../../test/record-builders.ts";
import { stepUntil } from "../../test/time/wait-for.ts";

type Site = Awaited<ReturnType<typeof pushHarness>>;

const at1203 = { parameters: { cron: "3 12 * * *", grace: 1 } };

/** The minutes that it takes until the check fails, to the next half. */
async function minutesUntilFailing({ clock, state }: Site): Promise<number> {
  const from = clock.monotonic();
  await stepUntil("the check is late", async () => {
    await clock.advance(minute / 2);
    return (await state()) === "failing";
  });
  return (clock.monotonic() - from) / minute;
}

test("by a cron a check fails once the grace time after it is over, and says when it was expected", async () => {
  await using site = await pushHarness(at1203);
  site.watch();
  await site.send();
  const minutes = await minutesUntilFailing(site);
  assert.ok(minutes >= 4 && minutes <= 4.5, String(minutes));
  const { reason, text, message } = (await site.results()).at(-1) ?? assert.fail();
  assert.deepEqual([reason, text], ["stale", "Results are old"]);
  assert.equal(
    message,
    "The last result is from 2026-01-05T12:00:00.000Z, the next was expected at 2026-01-05T12:03:00+00:00",
  );
  assert.equal((await site.send(undefined, { path: heartbeatPath, method: "GET" })).status, 200);
  assert.equal(await site.state(), "passing");
});

for (const { name, at } of [
  { name: "within the grace time after it", at: 3.9 },
  { name: "a little before it, by a clock that is ahead,", at: 2.6 },
])
  test(`a heartbeat ${name} is the one that was expected`, async () => {
    await using site = await pushHarness(at1203);
    site.watch();
    await site.send();
    await site.clock.advance(at * minute);
    await site.send();
    await site.clock.advance(3 * minute);
    assert.equal(await site.state(), "passing");
  });

test("one that comes before it by more than clocks differ is not the one that was expected", async () => {
  await using site = await pushHarness(at1203);
  site.watch();
  await site.send();
  await site.clock.advance(2.4 * minute);
  await site.send();
  const minutes = await minutesUntilFailing(site);
  assert.ok(minutes >= 1.5 && minutes <= 2, String(minutes));
});

test("the times of a cron are those that clocks show in the account's zone, as it is now", async () => {
  await using site = await pushHarness({ parameters: { cron: "48 17 * * *", grace: 0.5 } });
  site.watch();
  await site.send();
  await site.clock.advance(minute / 2);
  const update = { ...alice, timeZone: "Asia/Kathmandu" };
  await site.store.write((tx) => tx.accounts.update(update, site.clock.now()));
  site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
  const minutes = await minutesUntilFailing(site);
  // 17:48 at +05:45 is 12:03.
  assert.ok(minutes >= 3 && minutes <= 3.5, String(minutes));
  assert.match(
    (await site.results()).at(-1)?.message ?? "",
    /expected at 2026-01-05T17:48:00\+05:45$/,
  );
});

for (const expects of [{ cron: "48 17 * * *" }, { oncalendar: "Mon 17:48" }])
  test(`the times of ${JSON.stringify(expects)} are those that clocks show in the zone of the check`, async () => {
    const parameters = { ...expects, timezone: "Asia/Kathmandu", grace: 0.5 };
    await using site = await pushHarness({ parameters });
    site.watch();
    await site.send();
    const minutes = await minutesUntilFailing(site);
    // 17:48 at +05:45 is 12:03, a Monday.
    assert.ok(minutes >= 3.5 && minutes <= 4, String(minutes));
    assert.match(
      (await site.results()).at(-1)?.message ?? "",
      /expected at 2026-01-05T17:48:00\+05:45$/,
    );
  });

test("with a grace time an interval is not multiplied", async () => {
  await using site = await pushHarness({ intervalMinutes: 2, parameters: { grace: 1.5 } });
  site.watch();
  await site.send();
  const minutes = await minutesUntilFailing(site);
  assert.ok(minutes >= 3.5 && minutes <= 4, String(minutes));
});

test("a cron does not make silence a failure where that is said not to be one", async () => {
  await using site = await pushHarness({
    parameters: { ...at1203.parameters, oldresultfail: false },
  });
  site.watch();
  await site.send();
  await site.clock.advance(3 * minute);
  assert.equal(await site.state(), "passing");
});

test("time in which nothing could be received at the time of a cron makes nothing late", async () => {
  await using site = await pushHarness(at1203);
  site.watch();
  await site.send();
  await site.clock.advance(2.8 * minute);
  const end = site.interruptions.begin("listener");
  await site.clock.advance(minute / 2);
  end();
  await site.clock.advance(3 * minute);
  assert.equal(await site.state(), "passing");
});
