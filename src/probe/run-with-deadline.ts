import type { PreparedCheck, RunContext } from "../checks/check-type.ts";
import { failed, storableOutcome, type Outcome } from "../domain/run/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { Reserve } from "../kit/net/byte-queue.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { RunAddresses } from "./address-places.ts";

/** How long after its timeout a check type may take to say in which phase the time ran out, and at which address. */
const GRACE_MS = 250;

/** One object for all runs: an error with its stack for each would cost a twentieth of a whole run. */
const DEADLINE = new Error("the time of the run is over");

/** Less lost time than that is not given back. */
const MIN_EXTENSION_MS = 10;

interface Options {
  readonly clock: Clock;
  readonly egress: Egress;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly timeoutMs: number;
  readonly accountId: string;
  readonly wantsTitle: boolean;
  /** Where the run waits for places at the addresses that it dials. */
  readonly addresses: RunAddresses;
  /** Asked before more of what the target sends is read. */
  readonly reserve: Reserve;
}

/**
 * Runs a prepared check until its timeout at most; one that ignores its signal is not waited for. Time in which this process
 * stood still is given back, up to the timeout once more. While the run waits for a place its time stands still.
 */
export function runWithDeadline(
  prepared: PreparedCheck,
  { clock, egress, eventLoop, addresses, timeoutMs, accountId, wantsTitle, reserve }: Options,
): Promise<Outcome> {
  const startedAt = clock.monotonic();
  const controller = new AbortController();
  const context: RunContext = {
    now: clock.now,
    monotonic: () => clock.monotonic() - addresses.waitedMs(),
    setTimer: clock.setTimer,
    signal: controller.signal,
    egress: { resolve: egress.resolve, isPublic: egress.isPublic, admit: addresses.admit },
    timeoutMs,
    accountId,
    wantsTitle,
    reserve,
  };
  return new Promise((resolve, reject) => {
    const abandon = (): void =>
      resolve(failed("timeout", "Timeout", `Timeout after ${timeoutMs / 1000} s`));
    let extendedMs = 0;
    const expire = (): void => {
      const lostMs = eventLoop.stalledSince(startedAt);
      const extensionMs = Math.min(lostMs, timeoutMs) + addresses.waitedMs() - extendedMs;
      if (extensionMs >= MIN_EXTENSION_MS) {
        extendedMs += extensionMs;
        deadline = clock.setTimer(expire, extensionMs);
      } else {
        controller.abort(DEADLINE);
        deadline = clock.setTimer(abandon, GRACE_MS);
      }
    };
    let deadline = clock.setTimer(expire, timeoutMs);
    void Promise.try(prepared.run, context).then(
      (outcome) => {
        deadline.cancel();
        resolve(storableOutcome(outcome));
      },
      (error: unknown) => {
        deadline.cancel();
        reject(error);
      },
    );
  });
}
