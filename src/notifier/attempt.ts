import type { Channel, Message } from "../channels/channel.ts";
import type { Clock, Timer } from "../kit/clock.ts";
import type { Egress } from "../kit/egress.ts";
import { codeOf, DeliveryFailed, messageOf } from "../kit/errors.ts";
import type { Delivery, Wording } from "../store/alerts.ts";
import type { Wanted } from "./stages/suppressions.ts";

export const attemptMs = 60_000;
/** How long a channel may take, once told to end, to say whether the message may have arrived. */
export const lastWordMs = 5000;

export interface Attempt {
  readonly delivery: Delivery;
  /** Undefined where no words were found. */
  readonly wording: Wording | undefined;
  /** Undefined where the receiver took it. */
  readonly failure: DeliveryFailed | undefined;
}

export interface AttemptContext {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly url: string;
  /** Ends every attempt that is under way. */
  readonly hurry: AbortSignal;
}

/** Hands one alert to its channel, once, and never throws. */
export async function attempt(wanted: Wanted, context: AttemptContext): Promise<Attempt> {
  const { alert, address, account, kind } = wanted;
  const { channel, clock, egress, url } = context;
  const startedAt = clock.now();
  const ended = (response: string, rest: Pick<Attempt, "wording" | "failure">): Attempt => ({
    ...rest,
    delivery: {
      alertId: alert.id,
      attempt: alert.attempts,
      startedAt,
      endedAt: clock.now(),
      accepted: rest.failure === undefined,
      response,
    },
  });

  const telling = { alert, to: address, kind, offsetHours: account.offsetHours, url };
  let message: Message;
  try {
    message = channel.render(telling);
  } catch (error) {
    const failure = new DeliveryFailed(`no words found: ${messageOf(error)}`, {
      cause: error,
      retryable: codeOf(error) !== "invalid_input",
    });
    return ended(failure.message, { wording: undefined, failure });
  }
  const { subject, body } = message;
  const wording = {
    kind,
    to: address.address,
    from: channel.from,
    subject,
    body,
    network: channel.kind,
  };
  try {
    const receipt = await withDeadline(
      (signal) =>
        channel.send(telling, message, { signal, egress, clock, attempt: alert.attempts }),
      context,
    );
    return ended(receipt.response, { wording, failure: undefined });
  } catch (error) {
    const failure = failureOf(error);
    return ended(failure.message, { wording, failure });
  }
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
