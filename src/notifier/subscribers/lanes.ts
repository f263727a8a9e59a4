import {
  subscriberKinds,
  type PageMessage,
  type SubscriberKind,
} from "../../domain/status/subscriber.ts";
import { sleep, type Clock } from "../../kit/clock.ts";
import { destinationOf } from "../../store/destination.ts";
import type { Store } from "../../store/store.ts";
import type { AttemptEffect } from "../sending/destination.ts";
import type { Place, Places } from "../slots.ts";
import { mostAtOnce, type TurnsOfAccounts } from "./turns-of-accounts.ts";

/** Sends what is due until nothing is, so many messages of each kind at a time. */
export interface Lanes {
  readonly begin: (signal: AbortSignal, onError: (error: unknown) => void) => void;
  readonly areIdle: () => boolean;
  readonly ended: () => Promise<void>;
}

interface Deps {
  readonly store: Pick<Store, "alerts" | "subscribers" | "write">;
  readonly clock: Clock;
  readonly places: Pick<Places, "claim">;
  readonly turns: TurnsOfAccounts;
  /** Calls `ended` with what the attempt showed before it records it; gives whether the destination is away. */
  readonly attempt: (
    message: PageMessage,
    signal: AbortSignal,
    ended: (effect: AttemptEffect) => boolean,
  ) => Promise<void>;
}

/** The queue of all mails to subscribers, in its turn among those of accounts. */
const mails = { accountId: "", primaryId: "subscribers", destination: "email" };

/** How long an alert that is due has to take the place that a message leaves. */
const AFTER_ALERTS_MS = 500;
/** Until what has no place now is looked at again. */
const NO_PLACE_MS = 1000;
const MAX_WAIT_MS = 5000;

export function createLanes(deps: Deps): Lanes {
  const running = new Map<string, Promise<void>>();
  const oneOf = { email: sendMail, webhook: callWebhook } as const;
  const runLane = async (kind: SubscriberKind, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await oneOf[kind](deps, signal)));
  };
  return {
    begin(signal, onError) {
      for (const kind of subscriberKinds)
        for (let number = 0; number < mostAtOnce[kind]; number += 1) {
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

/** Sends one mail, once it is its turn and no alert waits; false where there is none. */
async function sendMail(
  { store, clock, places, turns, attempt }: Deps,
  signal: AbortSignal,
): Promise<boolean> {
  if (((await store.alerts.msUntilDue()) ?? Infinity) <= 0)
    await sleep(clock, AFTER_ALERTS_MS, signal);
  const place = places.claim(mails);
  if (place === undefined) {
    await sleep(clock, NO_PLACE_MS, signal);
    return true;
  }
  const giveUp = (): void => place.free();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    // A message is claimed once it is its turn, as its lease covers no wait for that.
    if (!(await place.begin())) return false;
    const message = await turns.claim("email");
    if (message === undefined) return false;
    await attemptIn(place, { turns, message }, (ended) => attempt(message, signal, ended));
    return true;
  } finally {
    signal.removeEventListener("abort", giveUp);
    place.free();
  }
}

/** Calls one webhook, where its host has a place for it; false where there is none to call. */
async function callWebhook(
  { store, clock, places, turns, attempt }: Deps,
  signal: AbortSignal,
): Promise<boolean> {
  const message = await turns.claim("webhook");
  if (message === undefined) return false;
  const { accountId, primaryId, subscriberId } = message;
  const { address = "" } = (await store.subscribers.find(subscriberId)) ?? {};
  const destination = destinationOf({ kind: "webhook", address });
  const place = places.claim({ accountId, primaryId, destination });
  try {
    if (place === undefined || !(await place.begin(MAX_WAIT_MS))) {
      turns.ended(message);
      const later = clock.now() + NO_PLACE_MS;
      await store.write(({ pageMessages }) => pageMessages.giveBack(message, later));
      return true;
    }
    await attemptIn(place, { turns, message }, (ended) => attempt(message, signal, ended));
    return true;
  } finally {
    place?.free();
  }
}

async function attemptIn(
  place: Place,
  { turns, message }: { readonly turns: TurnsOfAccounts; readonly message: PageMessage },
  attempt: (ended: (effect: AttemptEffect) => boolean) => Promise<void>,
): Promise<void> {
  try {
    await attempt((effect) => {
      place.free(effect);
      return place.isAway();
    });
  } finally {
    turns.ended(message);
  }
}
