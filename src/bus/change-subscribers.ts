import type { Change } from "../domain/change.ts";
import { messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Bus } from "./bus.ts";

/** Those in this process who hear of changes, in the order in which they subscribed; one that throws does not keep a change from the next. */
export interface ChangeSubscribers extends Pick<Bus["changes"], "subscribe"> {
  readonly deliver: (change: Change) => void;
  readonly clear: () => void;
}

export function createChangeSubscribers(log: Log): ChangeSubscribers {
  const subscribers: ((change: Change) => void)[] = [];
  return {
    subscribe: (receive) => void subscribers.push(receive),
    deliver(change) {
      for (const receive of subscribers) {
        try {
          receive(change);
        } catch (error) {
          log.error("bus.subscriber_failed", { error: messageOf(error) });
        }
      }
    },
    clear: () => void subscribers.splice(0),
  };
}
