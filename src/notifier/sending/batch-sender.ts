import { channelOf, type Channels } from "../../channels/registry.ts";
import type { Clock, Timer } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Egress } from "../../kit/net/egress.ts";
import { logFieldsOf, type AlertOutcomes } from "../alert-outcomes.ts";
import type { AlertQueue } from "../alert-queue.ts";
import { abortGraceMs, attempt, attemptMs } from "./attempt.ts";
import type { PreparedBatch } from "./prepare-messages.ts";

export interface BatchSender {
  /** Sends a batch once, when it is its turn at its destination, and records what became of it. */
  readonly send: (batch: PreparedBatch, leaseEndsAt: number) => Promise<void>;
  /** Aborts the remaining attempts after some seconds. */
  readonly abortSoon: () => Timer;
}

export interface BatchSenderDeps {
  readonly channels: Channels;
  readonly queue: Pick<AlertQueue, "slotOf">;
  readonly outcomes: AlertOutcomes;
  readonly clock: Clock;
  readonly log: Log;
  readonly egress: Egress;
}

/** Longer than the destination seemed to need when the alert was claimed, and much shorter than its lease. */
const MAX_WAIT_MS = 5000;
/** Time allowed for attempts in progress at a stop. */
const SHUTDOWN_GRACE_MS = 8000;

export function createBatchSender(deps: BatchSenderDeps): BatchSender {
  const { channels, queue, outcomes, clock, log, egress } = deps;
  const shutdown = new AbortController();

  return {
    async send(batch, leaseEndsAt) {
      const { head, items } = batch;
      const { alert, address } = head;
      const slot = queue.slotOf([alert, ...items.map((item) => item.alert)]);
      try {
        if (!(await slot.begin(slot.isAway() ? 0 : MAX_WAIT_MS)))
          return await outcomes.giveBack(
            items.map((item) => item.alert),
            slot.isAway(),
          );
        // This process may have been suspended, so another may claim the alert before the attempt ends.
        if (clock.now() + attemptMs + abortGraceMs > leaseEndsAt)
          return log.warn("notifier.lease_too_short", logFieldsOf(alert));
        const channel = channelOf(channels, address.kind);
        const context = { channel, clock, egress, shutdownSignal: shutdown.signal };
        const startedAt = clock.monotonic();
        const attempted = await attempt(batch, context);
        slot.free({
          tookMs: clock.monotonic() - startedAt,
          failure: attempted.failure,
        });
        return await outcomes.attempted(batch, { ...attempted, isAway: slot.isAway() });
      } finally {
        slot.free();
      }
    },
    abortSoon: () => clock.setTimer(() => shutdown.abort(), SHUTDOWN_GRACE_MS),
  };
}
