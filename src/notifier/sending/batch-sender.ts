import { channelOf } from "../../channels/registry.ts";
import type { Channels } from "../../channels/registry.ts";
import type { Clock, Timer } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Egress } from "../../kit/net/egress.ts";
import { logFieldsOf } from "../alert-outcomes.ts";
import type { AlertOutcomes } from "../alert-outcomes.ts";
import { abortGraceMs, attempt, attemptMs } from "./attempt.ts";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { PreparedBatch } from "./prepare-messages.ts";

export interface BatchSender {
  /** Sends a batch once, where its destination has a free connection, and records what became of it. */
  readonly send: (batch: PreparedBatch, leaseEndsAt: number) => Promise<void>;
  /** Begins no further attempt. */
  readonly close: () => void;
  /** Aborts the attempts that are still under way after some seconds. */
  readonly abortSoon: () => Timer;
}

export interface BatchSenderDeps {
  readonly channels: Channels;
  readonly outcomes: AlertOutcomes;
  readonly clock: Clock;
  readonly log: Log;
  readonly egress: Egress;
}

const LIMITS = { total: 16, perDestination: 4, maxWaitMs: 5000 };
/** How long the attempts under way may still take at a stop. */
const SHUTDOWN_GRACE_MS = 8000;

export function createBatchSender(deps: BatchSenderDeps): BatchSender {
  const { channels, outcomes, clock, log, egress } = deps;
  const limiter = createConcurrencyLimiter(clock, LIMITS);
  const shutdown = new AbortController();
  let isStopping = false;

  return {
    async send(batch, leaseEndsAt) {
      const { alert, address } = batch.head;
      const channel = channelOf(channels, address.kind);
      const release = await limiter.acquire(
        `${address.kind} ${channel.destinationOf(address.address)}`,
      );
      if (release === undefined) {
        const alerts = batch.items.map((item) => item.alert);
        return outcomes.postpone(alerts, isStopping);
      }
      try {
        // This process stood still for a while: by the end of an attempt another may have claimed the alert.
        if (clock.now() + attemptMs + abortGraceMs > leaseEndsAt)
          return log.warn("notifier.lease_too_short", logFieldsOf(alert));
        const shutdownSignal = shutdown.signal;
        return await outcomes.attempted(
          batch,
          await attempt(batch, { channel, clock, egress, shutdownSignal }),
        );
      } finally {
        release();
      }
    },
    close() {
      isStopping = true;
      limiter.close();
    },
    abortSoon: () => clock.setTimer(() => shutdown.abort(), SHUTDOWN_GRACE_MS),
  };
}
