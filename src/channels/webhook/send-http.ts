import { STATUS_CODES } from "node:http";

import { DeliveryFailed } from "../../kit/errors.ts";
import { exchange } from "../../kit/http/exchange.ts";
import type { HttpResponse } from "../../kit/http/exchange.ts";
import type { Receipt, AlertContext, SendContext } from "../channel.ts";
import type { Service } from "../services/service.ts";
import { failureOfResponse, failureOfExchange } from "./http-failure.ts";
import { oneLine } from "../format/one-line.ts";

export const SENDER_NAME = "Watchpost";
const ANSWER_LENGTH = 500;
/** RFC 9110, 15.5.11: it is not there any more, and that is likely to last. */
const GONE = 410;

/** Which attempt at which alert a request is. */
export interface AttemptHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "watchpost-attempt": string;
}

export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What of the body is kept: all but credentials. */
  readonly storedBody: string;
  /** Whose shape it has, where it is neither the address's own nor ours. */
  readonly service?: Service;
}

/** Makes the call that is prepared for this attempt. It throws DeliveryFailed alone, whatever goes wrong. */
export async function sendHttp(
  telling: AlertContext,
  { signal, egress, clock, attempt }: SendContext,
  prepare: (stamp: AttemptHeaders) => PreparedRequest,
): Promise<Receipt> {
  const stamp = {
    "webhook-id": telling.alert.id,
    "webhook-timestamp": String(Math.floor(clock.now() / 1000)),
    "watchpost-attempt": String(attempt),
  };
  try {
    const { url, method, headers, body, service } = prepare(stamp);
    const answer = await exchange(
      {
        url: new URL(url),
        method,
        headers: { "user-agent": SENDER_NAME, ...headers, ...stamp },
        body,
        readBody: true,
        maxBodyBytes: 4 * ANSWER_LENGTH,
        verifyTls: true,
      },
      { egress, signal, monotonic: clock.monotonic },
    );
    return { response: accept(answer, clock.now(), service) };
  } catch (error) {
    throw error instanceof DeliveryFailed ? error : failureOfExchange(error);
  }
}

/** The first words of an answer that took the message; otherwise throws DeliveryFailed. */
function accept(answered: HttpResponse, now: number, service: Service | undefined): string {
  const { status, body } = answered;
  const text = new TextDecoder().decode(body);
  const words = oneLine(text, ANSWER_LENGTH);
  const answer =
    `${status} ${STATUS_CODES[status] ?? ""}`.trim() + (words === "" ? "" : `: ${words}`);
  const refusal = service?.failureDetailsOf?.({ status, text });
  if (refusal === undefined && status >= 200 && status < 300) return answer;
  const isRedirect = status >= 300 && status < 400;
  throw failureOfResponse(
    isRedirect ? `${answer} (redirects are not followed)` : answer,
    answered,
    {
      now,
      // Whatever a service says of it counts, also that it was not about the address.
      address: status === GONE ? "gone" : "refused",
      ...refusal,
    },
  );
}
