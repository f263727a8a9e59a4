import { maxRetryMs } from "../../domain/alert/retry.ts";
import {
  messageIdOf,
  unansweredMs,
  type PageMessage,
  type SubscriberKind,
} from "../../domain/status/subscriber.ts";
import { clockOffset, forwardStepSince, type Clock } from "../../kit/clock.ts";
import { messageOf, type DeliveryFailed } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { poll } from "../../kit/poll.ts";
import type { Store } from "../../store/store.ts";
import type { AttemptEffect } from "../sending/destination.ts";
import { toDeliveryFailure, withDeadline } from "../sending/attempt.ts";
import { decideRetry } from "../sending/retry-decision.ts";
import type { Places } from "../slots.ts";
import { createLanes } from "./lanes.ts";
import type { PageMessageSender } from "./page-message-sender.ts";
import { createTurnsOfAccounts } from "./turns-of-accounts.ts";

export interface PageMessageQueue {
  /** Returns once the signal has aborted, which ends the attempts under way. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface PageMessageQueueDeps {
  readonly store: Store;
  readonly sender: PageMessageSender;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Shared with the alerts. */
  readonly places: Pick<Places, "claim">;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

const POLL_EVERY_MS = 1000;
const ERROR_DELAY_MS = 5000;
/** Of one unit, for which results and alerts wait. */
const MOST_SPREAD = 250;

/** Sends messages to the subscribers of status pages: few at a time, the primary accounts by turns, and none while an alert waits for its place. It tries again as for alerts. */
export function createPageMessageQueue(deps: PageMessageQueueDeps): PageMessageQueue {
  const { store, clock, log } = deps;
  const finish = createFinish(deps);
  const turns = createTurnsOfAccounts(store);
  const lanes = createLanes({ ...deps, turns, attempt: finish });

  const spreadPosts = async (): Promise<void> => {
    while (await store.write(({ pageMessages }) => pageMessages.spread(MOST_SPREAD)));
  };
  const onError = (error: unknown): void =>
    log.error("notifier.subscribers_failed", { message: messageOf(error) });

  return {
    async run(signal) {
      const round = async (): Promise<number> => {
        if (await store.pageMessages.isDue()) {
          await spreadPosts();
          lanes.begin(signal, onError);
        } else if (lanes.areIdle() && (await store.pageMessages.sendingAccounts()).length > 0) {
          await store.write(({ pageMessages }) => pageMessages.removeSentPosts());
        }
        return POLL_EVERY_MS;
      };
      await poll({ clock, signal, round, onError, errorDelayMs: ERROR_DELAY_MS });
      await lanes.ended();
    },
  };
}

/** Sends a message once, and stores what became of it. */
function createFinish({
  store,
  sender,
  clock,
  log,
  meter,
  random = Math.random,
}: PageMessageQueueDeps) {
  /** Messages that their receivers have, until the store knows. */
  const sent = new Set<number>();
  const remove = async (seq: number): Promise<void> => {
    await store.write(({ pageMessages }) => pageMessages.remove(seq));
    sent.delete(seq);
  };
  const fail = async (
    message: PageMessage,
    failure: DeliveryFailed,
    { offset, isAway }: { readonly offset: number; readonly isAway: boolean },
  ): Promise<void> => {
    const { seq, createdAt, attempts, subscriberId } = message;
    const retryUntil = createdAt + maxRetryMs + forwardStepSince(clock, offset);
    const end = decideRetry([{ retryUntil, attempts }], failure, {
      now: clock.now(),
      jitter: random(),
      isAway,
    });
    const isWaiting = end.status === "waiting";
    const event = isWaiting ? "notifier.subscriber_retry" : "notifier.subscriber_failed";
    log.warn(event, { ...about(message), message: failure.message }, failure.message);
    meter.count(event);
    await store.write(async ({ pageMessages, subscribers }) => {
      if (end.status === "waiting") await pageMessages.postpone(message, end.nextAttemptAt);
      else if (failure.address === "gone")
        await subscribers.end(subscriberId, clock.now() + unansweredMs);
      else await pageMessages.remove(seq);
    });
  };
  return async (
    message: PageMessage,
    shutdownSignal: AbortSignal,
    ended: (effect: AttemptEffect) => boolean,
  ): Promise<void> => {
    if (!sent.has(message.seq)) {
      const offset = clockOffset(clock);
      const prepared = await sender.prepare(message);
      if (prepared !== undefined) {
        const startedAt = clock.monotonic();
        let failure: DeliveryFailed | undefined;
        try {
          await withDeadline(prepared.send, { clock, shutdownSignal });
        } catch (error) {
          failure = toDeliveryFailure(error);
        }
        const isAway = ended({ tookMs: clock.monotonic() - startedAt, failure });
        if (failure !== undefined) return fail(message, failure, { offset, isAway });
        sent.add(message.seq);
        log.info("notifier.subscriber_delivered", about(message));
        meter.count("notifier.subscriber_delivered", { kind: message.kind });
      }
    }
    await remove(message.seq);
  };
}

function about(message: PageMessage): Readonly<Record<string, unknown>> {
  const kind: SubscriberKind = message.kind;
  return { message: messageIdOf(message), kind, attempt: message.attempts };
}
