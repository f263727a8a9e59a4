import { STATUS_CODES } from "node:http";

import { Interrupted } from "../kit/dial.ts";
import { DeliveryFailed, InvalidInput, codeOf, messageOf } from "../kit/errors.ts";
import { exchange } from "../kit/http-exchange.ts";
import type { HttpAnswer } from "../kit/http-exchange.ts";
import type { Channel } from "./channel.ts";
import { oneLine } from "./kit/one-line.ts";
import { retryAfterMs } from "./kit/retry-after.ts";
import { parseTemplate } from "./kit/template.ts";
import { callOf } from "./kit/webhook-call.ts";
import { assertRequest } from "./kit/webhook-request.ts";
import { subjectOf } from "./telling.ts";

const SENDER = "Watchpost";
const LONGEST_URL = 2000;
const ANSWER_LENGTH = 500;

/** Tells by an HTTP request, as docs/webhooks.md describes. `url` is the address of this installation. */
export function createWebhookChannel({ url }: { url: string }): Channel {
  const own = new URL(url);
  return {
    kind: "webhook",
    from: SENDER,
    trouble: undefined,
    parseAddress(address) {
      const given = address.trim();
      if (!fixedPart.test(given) || given.length > LONGEST_URL) throw notUrl(given);
      parseTemplate(given);
      assertForeign(given, own);
      return given;
    },
    assertRequest,
    destinationOf: (address) => URL.parse(address)?.host ?? "",
    render: (telling) => ({ subject: subjectOf(telling), body: callOf(telling).body ?? "" }),
    async send(telling, message, { signal, egress, clock, attempt }) {
      try {
        const { url, method, headers, body } = callOf(telling);
        const answer = await exchange(
          {
            url: assertForeign(url, own),
            method,
            headers: {
              "user-agent": SENDER,
              ...headers,
              "webhook-id": telling.alert.id,
              "webhook-timestamp": String(Math.floor(clock.now() / 1000)),
              "watchpost-attempt": String(attempt),
            },
            ...(body === undefined ? {} : { body: message.body }),
            readBody: true,
            maxBodyBytes: 4 * ANSWER_LENGTH,
            verifyTls: true,
          },
          { egress, signal, monotonic: clock.monotonic },
        );
        return { response: accept(answer, clock.now()) };
      } catch (error) {
        throw error instanceof DeliveryFailed ? error : failureOf(error);
      }
    },
    close() {},
  };
}

/** Scheme, user and host hold no variable: whatever is filled in, the call goes to the host that was agreed to. */
const fixedPart = /^https?:\/\/[^/?#\\{}\s]+(?=[/?#]|$)/i;

function assertForeign(address: string, own: URL): URL {
  const url = URL.parse(address);
  if (url === null) throw notUrl(address);
  if (isBelow(own, url))
    throw new InvalidInput(`must not be this installation itself, ${JSON.stringify(own.href)}`);
  return url;
}

function notUrl(address: string): InvalidInput {
  return new InvalidInput(
    `must be a URL such as https://example.com/alerts, with variables after the host only, not ${JSON.stringify(address.slice(0, LONGEST_URL))}`,
  );
}

/** An installation may share its origin with others, each below a path of its own. */
function isBelow({ origin, pathname }: URL, url: URL): boolean {
  return url.origin === origin && `${url.pathname}/`.startsWith(pathname.replace(/\/*$/, "/"));
}

/** Statuses that ask to come again later, beside all of 5xx. */
const laterStatuses = new Set([408, 425, 429]);
/** A gateway in between lost the receiver's answer. */
const lostStatuses = new Set([502, 504]);

/** The first words of an answer that took the message; otherwise throws DeliveryFailed. */
function accept({ status, headers, body }: HttpAnswer, now: number): string {
  const text = oneLine(new TextDecoder().decode(body), ANSWER_LENGTH);
  const answer =
    `${status} ${STATUS_CODES[status] ?? ""}`.trim() + (text === "" ? "" : `: ${text}`);
  if (status >= 200 && status < 300) return answer;
  if (status < 400)
    throw new DeliveryFailed(`${answer} (redirects are not followed)`, { retryable: false });
  throw new DeliveryFailed(answer, {
    retryable: status >= 500 || laterStatuses.has(status),
    mayHaveArrived: lostStatuses.has(status),
    retryAfterMs: retryAfterMs(headers["retry-after"], now),
  });
}

/** Our own policy and settings: they say so every time. */
const lasting = new Set(["blocked", "invalid_input"]);
/** Failed before a byte of the request was written. */
const unreached = new Set([
  "dns_failure",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENFILE",
  "unavailable",
]);

function failureOf(error: unknown): DeliveryFailed {
  if (error instanceof Interrupted) {
    const mayHaveArrived = error.phase === "answer";
    return new DeliveryFailed(`out of time in phase ${JSON.stringify(error.phase)}`, {
      cause: error,
      retryable: true,
      mayHaveArrived,
    });
  }
  const code = codeOf(error) ?? "";
  const retryable = !lasting.has(code);
  const mayHaveArrived = retryable && !unreached.has(code) && !isTlsRefusal(code);
  return new DeliveryFailed(oneLine(messageOf(error), ANSWER_LENGTH), {
    cause: error,
    retryable,
    mayHaveArrived,
  });
}

function isTlsRefusal(code: string): boolean {
  return /CERT|SIGNATURE|^(ERR_TLS|ERR_SSL|EPROTO)/.test(code);
}
