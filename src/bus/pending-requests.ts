import type { Clock } from "../kit/clock.ts";
import { messageOf, Unavailable } from "../kit/errors.ts";
import { createSlab } from "../kit/slab.ts";
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
  /** Rejects all pending requests. */
  readonly close: () => void;
}

const once = { once: true } as const;

/** Requests that wait for their reply. Each ends once: by the reply, its deadline, its signal or the close. */
export function createPendingRequests(clock: Pick<Clock, "setTimer">): PendingRequests {
  const closings = createSlab<() => void>();

  return {
    add: (work, { location, timeoutMs, signal, onLate }) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        let state: "waiting" | "expired" | "over" = "waiting";
        /** False if it had already ended. */
        const end = (next: typeof state): boolean => {
          if (state === "expired") onLate?.();
          if (state !== "waiting") return false;
          state = next;
          deadline.cancel();
          signal?.removeEventListener("abort", abort);
          closings.take(slot);
          return true;
        };
        const abort = (): void => {
          if (end("over")) reject(signal?.reason);
        };
        const close = (): void => {
          if (end("over")) reject(new Unavailable("the bus is closed"));
        };
        const expire = (): void => {
          if (end("expired")) reject(new Unavailable(`location ${location} did not answer`));
        };
        const deadline = clock.setTimer(expire, timeoutMs);
        const slot = closings.add(close);
        signal?.addEventListener("abort", abort, once);
        void Promise.try(work).then(
          (reply) => {
            if (end("over")) resolve(reply);
          },
          (cause: unknown) => {
            if (end("over")) reject(new Unavailable(messageOf(cause), { cause }));
          },
        );
      }),
    close() {
      for (const close of closings.items()) close();
    },
  };
}
