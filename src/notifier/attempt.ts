import type { Channel, Message, Telling } from "../channels/channel.ts";
import type { Clock, Timer } from "../kit/clock.ts";
import type { Egress } from "../kit/egress.ts";
import { codeOf, DeliveryFailed, messageOf } from "../kit/errors.ts";
import type { RenderedMessage } from "../store/alerts.ts";
import type { AddressStatusChange } from "../store/contacts.ts";
import { markOf } from "./mark.ts";
import type { Parcel } from "./parcel.ts";
import type { Wanted } from "./stages/suppressions.ts";

export const attemptMs = 60_000;
/** How long a channel may take, once told to end, to say whether the message may have arrived. */
export const lastWordMs = 5000;

export interface Attempt {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly to: string;
  /** What the receiver, or the way to it, said. */
  readonly response: string;
  /** What a single alert says; undefined where no words were found, or were fixed before. */
  readonly wording: RenderedMessage | undefined;
  /** Undefined where the receiver took it. */
  readonly failure: DeliveryFailed | undefined;
  /** What it shows of the address. */
  readonly mark: AddressStatusChange | undefined;
}

export interface AttemptContext {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly url: string;
  /** Ends every attempt that is under way. */
  readonly hurry: AbortSignal;
}

/** Hands one message to its channel, once, and never throws. */
export async function attempt(
  { head, message: fixed }: Pick<Parcel, "head" | "message">,
  context: AttemptContext,
): Promise<Attempt> {
  const { channel, clock, egress, url } = context;
  const startedAt = clock.now();
  const ended = (response: string, rest: Pick<Attempt, "wording" | "failure">): Attempt => {
    const endedAt = clock.now();
    const mark = markOf({ ...head.alert, address: head.address }, { endedAt, ...rest });
    return { ...rest, startedAt, endedAt, to: head.address.address, response, mark };
  };

  const telling = tellingOf(head, url);
  let message: Message;
  try {
    message = fixed ?? channel.render(telling);
  } catch (error) {
    const failure = new DeliveryFailed(`no words found: ${messageOf(error)}`, {
      cause: error,
      retryable: codeOf(error) !== "invalid_input",
    });
    return ended(failure.message, { wording: undefined, failure });
  }
  const wording = fixed === undefined ? wordingOf(head, message, channel) : undefined;
  try {
    const receipt = await withDeadline(
      (signal) =>
        channel.send(telling, message, { signal, egress, clock, attempt: head.alert.attempts }),
      context,
    );
    return ended(receipt.response, { wording, failure: undefined });
  } catch (error) {
    const failure = failureOf(error);
    return ended(failure.message, { wording, failure });
  }
}

export function tellingOf({ alert, address, account, kind }: Wanted, url: string): Telling {
  const { offsetHours, branding } = account;
  return { alert, to: address, kind, offsetHours, branding, url };
}

export function wordingOf(
  { kind, address }: Wanted,
  { from, subject, body }: Message,
  channel: Channel,
): RenderedMessage {
  const network = channel.kind;
  return { kind, to: address.address, from: from ?? channel.from, subject, body, network };
}

export function failureOf(error: unknown): DeliveryFailed {
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
  { clock, hurry }: Pick<AttemptContext, "clock" | "hurry">,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const deadline = new AbortController();
    let lastWord: Timer | undefined;
    const end = (): void => {
      hurry.removeEventListener("abort", end);
      timer.cancel();
      deadline.abort();
      lastWord = clock.setTimer(
        () =>
          reject(new DeliveryFailed("no end in time", { retryable: true, mayHaveArrived: true })),
        lastWordMs,
      );
    };
    const timer = clock.setTimer(end, attemptMs);
    hurry.addEventListener("abort", end, { once: true });
    if (hurry.aborted) end();
    void work(deadline.signal)
      .then(resolve, reject)
      .finally(() => {
        hurry.removeEventListener("abort", end);
        timer.cancel();
        lastWord?.cancel();
      });
  });
}
