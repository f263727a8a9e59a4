import { maxRetryMs } from "../../domain/alert/retry.ts";
import {
  messageIdOf,
  unansweredMs,
  type PageMessage,
  type SubscriberKind,
  subscriberKinds,
} from "../../domain/status/subscriber.ts";
import { clockOffset, forwardStepSince, type Clock, sleep } from "../../kit/clock.ts";
import { messageOf, type DeliveryFailed } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { poll } from "../../kit/poll.ts";
import { destinationOf } from "../../store/destination.ts";
import type { Store } from "../../store/store.ts";
import type { AttemptEffect } from "../sending/destination.ts";
import { toDeliveryFailure, withDeadline } from "../sending/attempt.ts";
import { decideRetry } from "../sending/retry-decision.ts";
import type { SendSlot, SendSlots } from "../send-slots.ts";
import type { PageMessageSender } from "./page-message-sender.ts";
import { createTurnsOfAccounts, maxAtOnce, type TurnsOfAccounts } from "./turns-of-accounts.ts";

export interface PageMessageQueue {
  /** Returns once the signal has aborted, which ends the attempts in progress. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface PageMessageQueueDeps {
  readonly store: Store;
  readonly sender: PageMessageSender;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Shared with the alerts. */
  readonly slots: Pick<SendSlots, "claim">;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

const POLL_INTERVAL_MS = 1000;
const ERROR_DELAY_MS = 5000;
/** Maximum messages created in one transaction, because results and alerts wait for it. */
const MAX_SPREAD = 250;

/** Sends messages to the subscribers of status pages: few at a time, the primary accounts by turns, and none while an alert waits for its slot. It tries again as for alerts. */
export function createPageMessageQueue(deps: PageMessageQueueDeps): PageMessageQueue {
  const { store, clock, log } = deps;
  const finish = createFinish(deps);
  const turns = createTurnsOfAccounts(store);
  const lanes = createLanes({ ...deps, turns, attempt: finish });

  const spreadPosts = async (): Promise<void> => {
    while (await store.write(({ pageMessages }) => pageMessages.spread(MAX_SPREAD)));
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
        return POLL_INTERVAL_MS;
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

/** Sends due messages until none are left, a limited number of each kind at a time. */
interface Lanes {
  readonly begin: (signal: AbortSignal, onError: (error: unknown) => void) => void;
  readonly areIdle: () => boolean;
  readonly ended: () => Promise<void>;
}

interface Deps {
  readonly store: Pick<Store, "alerts" | "subscribers" | "write">;
  readonly clock: Clock;
  readonly slots: Pick<SendSlots, "claim">;
  readonly turns: TurnsOfAccounts;
  /** Calls `ended` with the attempt's result before recording it; returns whether the destination is unreachable. */
  readonly attempt: (
    message: PageMessage,
    signal: AbortSignal,
    ended: (effect: AttemptEffect) => boolean,
  ) => Promise<void>;
}

/** The queue of all mails to subscribers, in its turn among those of accounts. */
const mails = { accountId: "", primaryId: "subscribers", destination: "email" };

/** How long an alert that is due has to take the slot that a message leaves. */
const AFTER_ALERTS_MS = 500;

/** Until what has no slot now is looked at again. */
const NO_SLOT_MS = 1000;

const MAX_WAIT_MS = 5000;

function createLanes(deps: Deps): Lanes {
  const running = new Map<string, Promise<void>>();
  const oneOf = { email: sendMail, webhook: callWebhook } as const;
  const runLane = async (kind: SubscriberKind, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await oneOf[kind](deps, signal)));
  };
  return {
    begin(signal, onError) {
      for (const kind of subscriberKinds)
        for (let number = 0; number < maxAtOnce[kind]; number += 1) {
          const key = `${kind} ${number}`;
          if (running.has(key)) continue;
          const lane = runLane(kind, signal)
            .catch(onError)
            .finally(() => running.delete(key));
          running.set(key, lane);
        }
    },
    areIdle: () => running.size === 0,
    async ended() {
      await Promise.all(running.values());
    },
  };
}

/** Sends one mail when its turn comes and no alert waits; false if there is none. */
async function sendMail(
  { store, clock, slots, turns, attempt }: Deps,
  signal: AbortSignal,
): Promise<boolean> {
  if (((await store.alerts.msUntilDue()) ?? Infinity) <= 0)
    await sleep(clock, AFTER_ALERTS_MS, signal);
  const slot = slots.claim(mails);
  if (slot === undefined) {
    await sleep(clock, NO_SLOT_MS, signal);
    return true;
  }
  const giveUp = (): void => slot.free();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    // A message is claimed once it is its turn, as its lease covers no wait for that.
    if (!(await slot.begin())) return false;
    const message = await turns.claim("email");
    if (message === undefined) return false;
    await attemptIn(slot, { turns, message }, (ended) => attempt(message, signal, ended));
    return true;
  } finally {
    signal.removeEventListener("abort", giveUp);
    slot.free();
  }
}

/** Calls one webhook, where its host has a slot for it; false where there is none to call. */
async function callWebhook(
  { store, clock, slots, turns, attempt }: Deps,
  signal: AbortSignal,
): Promise<boolean> {
  const message = await turns.claim("webhook");
  if (message === undefined) return false;
  const { accountId, primaryId, subscriberId } = message;
  const { address = "" } = (await store.subscribers.find(subscriberId)) ?? {};
  const destination = destinationOf({ kind: "webhook", address });
  const slot = slots.claim({ accountId, primaryId, destination });
  try {
    if (slot === undefined || !(await slot.begin(MAX_WAIT_MS))) {
      turns.ended(message);
      const later = clock.now() + NO_SLOT_MS;
      await store.write(({ pageMessages }) => pageMessages.giveBack(message, later));
      return true;
    }
    await attemptIn(slot, { turns, message }, (ended) => attempt(message, signal, ended));
    return true;
  } finally {
    slot?.free();
  }
}

async function attemptIn(
  slot: SendSlot,
  { turns, message }: { readonly turns: TurnsOfAccounts; readonly message: PageMessage },
  attempt: (ended: (effect: AttemptEffect) => boolean) => Promise<void>,
): Promise<void> {
  try {
    await attempt((effect) => {
      slot.free(effect);
      return slot.isAway();
    });
  } finally {
    turns.ended(message);
  }
}
