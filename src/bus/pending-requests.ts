import type { Clock } from "../kit/clock.ts";
import { messageOf, Unavailable } from "../kit/errors.ts";
import { createSlots } from "../kit/collections/slots.ts";
import type { RequestOptions } from "./bus.ts";

interface Options extends RequestOptions {
  readonly location: string;
  /** Called for a reply that comes after its deadline. */
  readonly onLate?: () => void;
}

export interface PendingRequests {
  /**
   * Brings the reply. Rejects with Unavailable where none comes in time or the work fails, and with the signal's reason where
   * that aborts.
   */
  readonly add: <Reply>(work: () => Promise<Reply>, options: Options) => Promise<Reply>;
  /** Rejects whatever is under way. */
  readonly close: () => void;
}

/** Requests that wait for their reply. Each ends once: by the reply, its deadline, its signal or the close. */
export function createPendingRequests(clock: Pick<Clock, "setTimer">): PendingRequests {
  const closings = createSlots<() => void>();

  return {
    add: (work, { location, timeoutMs, signal, onLate }) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        let state: "waiting" | "expired" | "over" = "waiting";
        const end = (next: typeof state, then: () => void): void => {
          if (state === "expired") onLate?.();
          if (state !== "waiting") return;
          state = next;
          deadline.cancel();
          signal?.removeEventListener("abort", abort);
          closings.take(slot);
          then();
        };
        const fail = (message: string, cause?: unknown): void =>
          reject(new Unavailable(message, { cause }));
        const abort = (): void => end("over", () => reject(signal?.reason));
        const close = (): void => end("over", () => fail("the bus is closed"));
        const expire = (): void =>
          end("expired", () => fail(`location ${location} did not answer`));
        const deadline = clock.setTimer(expire, timeoutMs);
        const slot = closings.add(close);
        signal?.addEventListener("abort", abort, { once: true });
        void Promise.try(work).then(
          (reply) => end("over", () => resolve(reply)),
          (error: unknown) => end("over", () => fail(messageOf(error), error)),
        );
      }),
    close() {
      for (const close of closings.items()) close();
    },
  };
}
