import { STATUS_CODES } from "node:http";

import { DeliveryFailed, InvalidInput } from "../../kit/errors.ts";
import type { HttpResponse } from "../../kit/http/exchange.ts";
import { percentDecode } from "../../kit/http/percent-decode.ts";
import { redact } from "../../kit/redact.ts";
import type { OutgoingMessage, Receipt, RenderedRequest, SendContext } from "../channel.ts";
import { boundedExchange } from "./bounded-exchange.ts";
import { oneLine } from "../format/one-line.ts";
import { withoutProofs } from "../link-proofs.ts";
import type { Service } from "../services/service.ts";
import { failureOfExchange, failureOfResponse } from "./http-failure.ts";
import { assertNotOwnUrl, type OwnAddresses } from "./loop-guard.ts";
import { authorizedRequest } from "./service-request.ts";

export const SENDER_NAME = "Watchpost";
const RESPONSE_LENGTH = 500;
/** RFC 9110, 15.5.11: it is not there any more, and that is likely to last. */
const GONE = 410;

/** Headers that identify the alert and the attempt. */
export interface AttemptHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "watchpost-attempt": string;
}

interface HttpSending {
  /** No message may go to it. */
  readonly installation: OwnAddresses;
  /** Service whose format the body has, if it is one of ours. */
  readonly service?: Service | undefined;
  readonly credentials?: RenderedRequest["credentials"];
  /** Headers that prove who sends. */
  readonly sign?: (attempt: AttemptHeaders, body: string) => Readonly<Record<string, string>>;
}

/** Sends a rendered request and what follows it, and throws nothing but DeliveryFailed. A retry sends both, because services know an incident by its key. */
export async function sendHttp(
  outgoing: OutgoingMessage,
  context: SendContext,
  sending: HttpSending,
): Promise<Receipt> {
  try {
    const first = requestIn(outgoing);
    const receipt = await sendOne(outgoing, first, { ...context, ...sending });
    if (first.next === undefined) return receipt;
    return await sendOne(outgoing, first.next, { ...context, ...sending });
  } catch (error) {
    throw error instanceof DeliveryFailed ? error : failureOfExchange(error);
  }
}

async function sendOne(
  outgoing: OutgoingMessage,
  { method, url, headers, body }: ReadyRequest,
  {
    signal,
    egress,
    clock,
    attempt,
    installation,
    service,
    credentials,
    sign,
  }: SendContext & HttpSending,
): Promise<Receipt> {
  const attemptHeaders = {
    "webhook-id": outgoing.id,
    "webhook-timestamp": String(Math.floor(clock.now() / 1000)),
    "watchpost-attempt": String(attempt),
  };
  const target = URL.parse(url);
  if (target === null) throw new InvalidInput(`no URL: ${JSON.stringify(url)}`);
  assertNotOwnUrl(target, installation);
  const authorized =
    service && credentials
      ? await authorizedRequest(service, {
          url: target,
          body: body ?? "",
          credentials,
          now: clock.now(),
        })
      : { headers: {}, body };
  const response = await boundedExchange(
    {
      url: target,
      method,
      headers: {
        "user-agent": SENDER_NAME,
        ...headers,
        ...sign?.(attemptHeaders, body ?? ""),
        ...authorized.headers,
        ...attemptHeaders,
      },
      body: authorized.body,
      readBody: true,
      maxBodyBytes: 4 * RESPONSE_LENGTH,
      verifyTls: true,
    },
    { egress, signal, clock },
  );
  return {
    response: receiptIn(response, { now: clock.now(), service, secrets: secretsOf(outgoing) }),
  };
}

const withoutBody = new Set(["GET", "HEAD"]);

type ReadyRequest = Pick<RenderedRequest, "method" | "url" | "headers" | "next"> & {
  readonly body: string | undefined;
};

function requestIn({ message: { request, body } }: OutgoingMessage): ReadyRequest {
  if (request === undefined)
    throw new DeliveryFailed("the message has no request", { retryable: false });
  return { ...request, body: withoutBody.has(request.method) ? undefined : body };
}

/** Shorter texts occur in responses by chance. */
const MIN_SECRET_LENGTH = 8;
/** Shorter parts of a path are words. */
const MIN_KEY_LENGTH = 16;

/** The texts of an address that a receiver may repeat in its response, which is stored and logged. */
function secretsOf({ to: { address, request } }: OutgoingMessage): readonly string[] {
  const url = URL.parse(address);
  const login = url === null ? [] : [url.username, url.password].map(percentDecode);
  const keys = (url?.pathname ?? "").split("/").filter((part) => part.length >= MIN_KEY_LENGTH);
  const texts = [
    ...login,
    ...keys,
    ...(url?.searchParams.values() ?? []),
    ...textsIn([request?.headers, request?.querystrings, request?.data]),
  ];
  return texts.filter((text) => text.length >= MIN_SECRET_LENGTH);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

/** The status and the first words of a response that accepted the message; otherwise throws DeliveryFailed. */
function receiptIn(
  response: HttpResponse,
  {
    now,
    service,
    secrets,
  }: {
    readonly now: number;
    readonly service: Service | undefined;
    readonly secrets: readonly string[];
  },
): string {
  const { status, body } = response;
  const text = new TextDecoder().decode(body);
  const excerpt = oneLine(
    /* guard: responses that repeat a webhook = argument */ withoutProofs(
      /* guard: responses that repeat a webhook = argument */ redact(text, secrets),
    ),
    RESPONSE_LENGTH,
  );
  const receipt =
    `${status} ${STATUS_CODES[status] ?? ""}`.trim() + (excerpt === "" ? "" : `: ${excerpt}`);
  const details = service?.failureDetailsOf?.({ status, text });
  const isTaken = (status >= 200 && status < 300) || status === service?.repeatedStatus;
  if (details === undefined && isTaken) return receipt;
  const isRedirect = status >= 300 && status < 400;
  const message = isRedirect ? `${receipt} (redirects are not followed)` : receipt;
  throw failureOfResponse(message, response, {
    now,
    // The service's statement about the address counts, even if it clears the address.
    address: status === GONE ? "gone" : "refused",
    ...details,
  });
}
