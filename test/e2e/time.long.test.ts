import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { waitFor } from "../time/wait-for.ts";
import {
  start,
  temporaryFolder,
  type CheckRecord,
  type ResultRecord,
  type RunningInstallation,
} from "./process.ts";
import { pause, steppedClock } from "./trouble.ts";

const HOUR_MS = 3_600_000;
/** Half a minute: a quarter may be over before a busy machine has answered. */
const INTERVAL = 0.5;
const GRACE_MS = 60_000 * INTERVAL;
/** From the heartbeat to the step of the clock, and what a busy machine may add; far less than the step. */
const LATE_MS = 120_000;

const addPush = (site: RunningInstallation): Promise<CheckRecord> =>
  site.api("POST checks", {
    type: "PUSH",
    label: "pushed",
    interval: INTERVAL,
    sens: 1,
    enabled: true,
    oldresultfail: true,
  });

const beat = async (site: RunningInstallation, { _id, parameters }: CheckRecord): Promise<void> =>
  assert.equal(await site.push(_id, String(parameters.checktoken)), 200);

const isPassing = async (site: RunningInstallation, { _id }: CheckRecord): Promise<boolean> =>
  (await site.api(`GET checks/${_id}`)).state === 1;

const untilFailing = (site: RunningInstallation, check: CheckRecord): Promise<true> =>
  waitFor("the silence is seen", async () => {
    await sleep(systemClock, 200);
    return !(await isPassing(site, check));
  });

// Side by side, for each waits for an interval of real time.
suite("the time of the real process", { concurrency: true }, () => {
  test("a process that was stopped fails nobody, and says that it was", async () => {
    await using folder = await temporaryFolder();
    await using site = await start(folder.path);
    const check = await addPush(site);
    await beat(site, check);
    {
      using _stopped = pause(site.pid);
      await sleep(systemClock, GRACE_MS + 5000);
    }
    await waitFor("it says that it stood still", async () => {
      const ready = await fetch(`${site.base}/readyz`);
      const stoodStill = /the process stood still for \d+ s until a moment ago/;
      return ready.status === 503 && stoodStill.test(await ready.text());
    });
    await waitFor("it is ready again", async () => {
      await sleep(systemClock, 200);
      return (await fetch(`${site.base}/readyz`)).ok;
    });
    assert.equal(await isPassing(site, check), true);
    assert.match(site.log(), /"cause":"stalled"/);
    const metrics = await (await fetch(`${site.base}/metrics`)).text();
    const lost = /^watchpost_interruption_seconds_total\{cause="stalled"\} (\S+)$/m.exec(metrics);
    assert.ok(Number(lost?.[1]) >= GRACE_MS / 1000, metrics);
  });

  for (const [how, before, byMs] of [
    ["ahead", 0, HOUR_MS],
    ["back to the right time", HOUR_MS, -HOUR_MS],
  ] as const) {
    test(`a clock that is set ${how} fails nobody, and silence is seen in time`, async () => {
      await using clock = await steppedClock();
      await clock.step(before);
      await using folder = await temporaryFolder();
      await using site = await start(folder.path, clock.environment);
      const check = await addPush(site);
      await beat(site, check);
      // Half of the time until its absence is judged, where it is the last one.
      await sleep(systemClock, GRACE_MS / 2);
      await beat(site, check);
      await clock.step(byMs);
      await waitFor("the step is noticed", () => site.log().includes('"app.clock_step"'));
      assert.equal(await isPassing(site, check), true);
      await untilFailing(site, check);
      const results: readonly ResultRecord[] = await site.api(
        `GET results/${check._id}?clean=true&end=${systemClock.now() + 2 * HOUR_MS}`,
      );
      const [seen, failed] = [true, false].map(
        (su) => results.find((one) => one.su === su)?.s ?? 0,
      );
      const silentMs = (failed ?? 0) - (seen ?? 0) - byMs;
      assert.ok(
        silentMs >= GRACE_MS && silentMs < GRACE_MS + LATE_MS,
        `silence was seen after ${silentMs} ms`,
      );
    });
  }
});
