import type { Channel, Message, AlertContext } from "../channels/channel.ts";
import type { Clock, Timer } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";
import { codeOf, DeliveryFailed, messageOf } from "../kit/errors.ts";
import type { RenderedMessage } from "../store/alerts.ts";
import type { AddressStatusChange } from "../store/contacts.ts";
import { addressStatusChangeOf } from "./address-status-change.ts";
import type { Batch } from "./batch.ts";
import type { DeliverableAlert } from "./stages/suppressions.ts";

export const attemptMs = 60_000;
/** How long a channel may take, once told to end, to say whether the message may have arrived. */
export const abortGraceMs = 5000;

export interface Attempt {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly to: string;
  /** What the receiver, or the way to it, said. */
  readonly response: string;
  /** What a single alert says; undefined where no words were found, or were fixed before. */
  readonly rendered: RenderedMessage | undefined;
  /** Undefined where the receiver took it. */
  readonly failure: DeliveryFailed | undefined;
  /** What it shows of the address. */
  readonly addressChange: AddressStatusChange | undefined;
}

export interface AttemptContext {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly url: string;
  /** Ends every attempt that is under way. */
  readonly shutdownSignal: AbortSignal;
}

/** Hands one message to its channel, once, and never throws. */
export async function attempt(
  { head, message: fixed }: Pick<Batch, "head" | "message">,
  context: AttemptContext,
): Promise<Attempt> {
  const { channel, clock, egress, url } = context;
  const startedAt = clock.now();
  const ended = (response: string, rest: Pick<Attempt, "rendered" | "failure">): Attempt => {
    const endedAt = clock.now();
    const addressChange = addressStatusChangeOf(
      { ...head.alert, address: head.address },
      { endedAt, ...rest },
    );
    return { ...rest, startedAt, endedAt, to: head.address.address, response, addressChange };
  };

  const telling = alertContextOf(head, url);
  let message: Message;
  try {
    message = fixed ?? channel.render(telling);
  } catch (error) {
    const failure = new DeliveryFailed(`no words found: ${messageOf(error)}`, {
      cause: error,
      retryable: codeOf(error) !== "invalid_input",
    });
    return ended(failure.message, { rendered: undefined, failure });
  }
  const rendered = fixed === undefined ? renderedMessageOf(head, message, channel) : undefined;
  try {
    const receipt = await withDeadline(
      (signal) =>
        channel.send(telling, message, { signal, egress, clock, attempt: head.alert.attempts }),
      context,
    );
    return ended(receipt.response, { rendered, failure: undefined });
  } catch (error) {
    const failure = toDeliveryFailure(error);
    return ended(failure.message, { rendered, failure });
  }
}

export function alertContextOf(
  { alert, address, account, kind }: DeliverableAlert,
  url: string,
): AlertContext {
  const { offsetHours, branding } = account;
  return { alert, to: address, kind, offsetHours, branding, url };
}

export function renderedMessageOf(
  { kind, address }: DeliverableAlert,
  { from, subject, body }: Message,
  channel: Channel,
): RenderedMessage {
  const network = channel.kind;
  return { kind, to: address.address, from: from ?? channel.from, subject, body, network };
}

export function toDeliveryFailure(error: unknown): DeliveryFailed {
  if (error instanceof DeliveryFailed) return error;
  return new DeliveryFailed(messageOf(error), {
    cause: error,
    retryable: true,
    mayHaveArrived: true,
  });
}

/** Tells the work when its time is over, and lets go of it soon after, whether it listens or not. */
export function withDeadline<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { clock, shutdownSignal }: Pick<AttemptContext, "clock" | "shutdownSignal">,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const deadline = new AbortController();
    let lastWord: Timer | undefined;
    const end = (): void => {
      shutdownSignal.removeEventListener("abort", end);
      timer.cancel();
      deadline.abort();
      lastWord = clock.setTimer(
        () =>
          reject(new DeliveryFailed("no end in time", { retryable: true, mayHaveArrived: true })),
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
        lastWord?.cancel();
      });
  });
}
