import assert from "node:assert/strict";
import { test } from "node:test";

import { createInterruptions, type Interruptions } from "../../../src/kit/interruptions.ts";
import type { HeartbeatReception } from "../../../src/store/heartbeat-reception.ts";
import { fakeClock, type FakeClock } from "../../time/fake-clock.ts";

/** A process's record of heartbeat reception, over a store that outlives it. */
export interface ReceivingProcess {
  readonly reception: Pick<HeartbeatReception, "lostSince">;
  /** Lets it run for some ms. */
  readonly live: (ms: number) => Promise<void>;
  /** Stops it, or ends it without a word. */
  readonly end: (how: "stopped" | "killed") => Promise<void>;
}

export interface HearingSite extends AsyncDisposable {
  /** Starts a process, and resolves once it knows what the store says. */
  readonly start: (interruptions: Interruptions) => Promise<ReceivingProcess>;
}

const minute = 60_000;
/** Maximum unknown time after a kill, besides the time without a process. */
const MAX_UNKNOWN_MS = 15_000;

/** Missing heartbeats are noticed after they could have been received for long enough, so reception gaps must survive restarts. */
export function restartContract(
  engine: string,
  open: (clock: FakeClock) => Promise<HearingSite>,
): void {
  test(`over ${engine}, restarts are known to have been as short as they were, and what nothing is known of is lost`, async () => {
    const clock = fakeClock();
    await using site = await open(clock);
    let restarts = 0;
    /** Compares how many of the last 20 minutes were lost when a process begins, which then lives for four and is interrupted for one of them. */
    const expectLost = async (minutes: number, why = ""): Promise<void> => {
      const interruptions = createInterruptions(clock);
      const { reception, live, end } = await site.start(interruptions);
      const lostMs = reception.lostSince(clock.monotonic() - 20 * minute);
      const maxMs = Math.min(20 * minute, minutes * minute + restarts * MAX_UNKNOWN_MS);
      assert.ok(
        lostMs >= minutes * minute && lostMs <= maxMs,
        `${lostMs / minute} minutes were lost instead of ${minutes} ${why}`,
      );
      const from = clock.monotonic();
      await live(minute);
      interruptions.record("store", from, clock.monotonic());
      await live(3 * minute);
      await end("killed");
      restarts += 1;
    };
    await expectLost(20, "where there was none before");
    clock.jump(3 * minute);
    await expectLost(13 + 1 + 3);
    clock.jump(2 * minute);
    await expectLost(7 + (1 + 3) + (1 + 2));
    clock.jump(2 * minute);
    await expectLost(1 + (1 + 3) + (1 + 2) + (1 + 2));
    clock.step(-10 * minute);
    await expectLost(20, "where the clock was set back meanwhile");
  });

  for (const [how, minMs] of [
    ["stopped", 40_000],
    // Other processes may have been sent heartbeats until it is known that one is gone.
    ["killed", 15_000],
  ] as const)
    test(`over ${engine}, ${minMs / 1000} of 55 seconds count as heard where a process is ${how} after each 55`, async () => {
      const clock = fakeClock();
      await using site = await open(clock);
      const began = clock.monotonic();
      for (let turn = 0; turn < 8; turn += 1) {
        const { live, end } = await site.start(createInterruptions(clock));
        await live(55_000);
        await end(how);
        clock.jump(1000);
      }
      const { reception, end } = await site.start(createInterruptions(clock));
      const heardMs = clock.monotonic() - began - reception.lostSince(began);
      await end(how);
      assert.ok(heardMs >= 8 * minMs, `${heardMs} ms count as heard`);
    });
}
