import type { Channel } from "../../channels/channel.ts";
import type { Clock, Timer } from "../../kit/clock.ts";
import { DeliveryFailed, messageOf } from "../../kit/errors.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { AddressStatusChange } from "../../store/tables/contacts.ts";
import { addressStatusChangeOf } from "./address-status-change.ts";
import type { PreparedBatch } from "./prepare-messages.ts";

export const attemptMs = 60_000;
/** Time allowed for a stopped channel to report whether the message may have arrived. */
export const abortGraceMs = 5000;

export interface Attempt {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Destination; undefined if the alert's rendered message has it. */
  readonly to: string | undefined;
  /** Response of the receiver or of the network. */
  readonly response: string;
  /** Undefined if the receiver accepted the message. */
  readonly failure: DeliveryFailed | undefined;
  /** Status change of the address. */
  readonly addressChange: AddressStatusChange | undefined;
}

export interface AttemptContext {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly egress: Egress;
  /** Ends every attempt in progress. */
  readonly shutdownSignal: AbortSignal;
}

/** Sends one message by its channel, once, and never throws. */
export async function attempt(
  { head: { alert, address }, message }: Pick<PreparedBatch, "head" | "message">,
  context: AttemptContext,
): Promise<Attempt> {
  const { channel, clock, egress } = context;
  const startedAt = clock.now();
  const isRendered = !(message instanceof DeliveryFailed) && alert.bundle === undefined;
  const to = isRendered ? undefined : address.address;
  const ended = (response: string, failure?: DeliveryFailed): Attempt => {
    const endedAt = clock.now();
    const addressChange = addressStatusChangeOf({ ...alert, address }, { endedAt, failure });
    return { startedAt, endedAt, to, response, failure, addressChange };
  };

  if (message instanceof DeliveryFailed) return ended(message.message, message);
  try {
    const { response } = await withDeadline(
      (signal) =>
        channel.send(
          { id: alert.bundle ?? alert.id, to: address, message },
          { signal, egress, clock, attempt: alert.attempts },
        ),
      context,
    );
    return ended(response);
  } catch (error) {
    const failure = toDeliveryFailure(error);
    return ended(failure.message, failure);
  }
}

export function toDeliveryFailure(error: unknown): DeliveryFailed {
  if (error instanceof DeliveryFailed) return error;
  return new DeliveryFailed(messageOf(error), {
    cause: error,
    retryable: true,
    mayHaveArrived: true,
  });
}

/** Aborts the work when its time is over, and abandons it after a grace period, whether it reacts or not. */
export function withDeadline<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { clock, shutdownSignal }: Pick<AttemptContext, "clock" | "shutdownSignal">,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const deadline = new AbortController();
    let grace: Timer | undefined;
    const end = (): void => {
      shutdownSignal.removeEventListener("abort", end);
      timer.cancel();
      deadline.abort();
      grace = clock.setTimer(
        () =>
          reject(
            new DeliveryFailed("no end in time", {
              retryable: true,
              receiverAway: true,
              mayHaveArrived: true,
            }),
          ),
        abortGraceMs,
      );
    };
    const timer = clock.setTimer(end, attemptMs);
    shutdownSignal.addEventListener("abort", end, { once: true });
    if (shutdownSignal.aborted) end();
    void work(deadline.signal)
      .then(resolve, reject)
      .finally(() => {
        shutdownSignal.removeEventListener("abort", end);
        timer.cancel();
        grace?.cancel();
      });
  });
}
