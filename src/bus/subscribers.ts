import { messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Bus, Hint } from "./bus.ts";

/** Subscribers in this process, in order of subscription; one that throws does not stop the next. */
export interface Subscribers<Value> {
  readonly subscribe: (receive: (value: Value) => void) => void;
  readonly deliver: (value: Value) => void;
  readonly clear: () => void;
}

export function createSubscribers<Value>(log: Log): Subscribers<Value> {
  const subscribers: ((value: Value) => void)[] = [];
  return {
    subscribe: (receive) => void subscribers.push(receive),
    deliver(value) {
      for (const receive of subscribers) {
        try {
          receive(value);
        } catch (error) {
          log.error("bus.subscriber_failed", { error: messageOf(error) });
        }
      }
    },
    clear: () => void subscribers.splice(0),
  };
}

export interface HintSubscribers extends Omit<Subscribers<Hint>, "subscribe"> {
  readonly subscribe: Bus["hints"]["subscribe"];
}

export function createHintSubscribers(log: Log): HintSubscribers {
  const subscribers = createSubscribers<Hint>(log);
  return {
    ...subscribers,
    subscribe: (wanted, receive) =>
      subscribers.subscribe((hint) => {
        if (hint === wanted) receive();
      }),
  };
}
