import type { Msg, NatsConnection, Subscription } from "@nats-io/transport-node";

import { sleep, type Clock } from "../../kit/clock.ts";

export interface SubscriptionOptions {
  readonly queue?: string;
  readonly receive: (message: Msg) => void;
}

/** What is wanted of the server, whether or not there is a connection. */
export interface Subscriptions {
  readonly add: (subject: string, options: SubscriptionOptions) => void;
  /** Gives the subscription that is to be ended. */
  readonly remove: (subject: string) => Subscription | undefined;
  /** From now on they are of this client. */
  readonly attach: (client: NatsConnection | undefined) => void;
}

/** A subscription that the server did not permit is tried again, for an operator may have corrected its configuration. */
const RESUBSCRIBE_AFTER_MS = 10_000;

/** Subscriptions that hold over every reconnection until the signal aborts. */
export function createSubscriptions(clock: Clock, signal: AbortSignal): Subscriptions {
  const wanted = new Map<string, SubscriptionOptions>();
  const active = new Map<string, Subscription>();
  let client: NatsConnection | undefined;

  const subscribe = (subject: string): void => {
    const options = wanted.get(subject);
    if (client === undefined || client.isClosed() || options === undefined) return;
    const subscription = client.subscribe(subject, {
      ...(options.queue !== undefined && { queue: options.queue }),
      callback: (error, message) => {
        if (error === null) options.receive(message);
      },
    });
    active.set(subject, subscription);
    void subscription.closed.then(async (error) => {
      if (!(error instanceof Error)) return;
      await sleep(clock, RESUBSCRIBE_AFTER_MS, signal);
      if (!signal.aborted) subscribe(subject);
    });
  };

  return {
    add(subject, options) {
      wanted.set(subject, options);
      subscribe(subject);
    },
    remove(subject) {
      wanted.delete(subject);
      return active.get(subject);
    },
    attach(next) {
      client = next;
      active.clear();
      for (const subject of wanted.keys()) subscribe(subject);
    },
  };
}
