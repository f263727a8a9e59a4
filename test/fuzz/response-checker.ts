import { tmpdir } from "node:os";
import { join } from "node:path";

import type { OpenApi } from "../../src/api/openapi/document.ts";
import type { RawRequest } from "../../src/api/http/parse-request.ts";
import { bodyText } from "../../src/kit/http/body-text.ts";
import { codeOf } from "../../src/kit/errors.ts";
import { isRecord } from "../../src/kit/safe-json.ts";
import { addressOf, createOpenApiValidator } from "../openapi/openapi-validator.ts";
import { headOf, type RawResponse, type Request } from "./raw-http.ts";

interface Exchange {
  readonly request: Request;
  readonly response: RawResponse;
  /** Values that the caller must not see. */
  readonly hidden: readonly string[];
}

/** Says what is wrong with an answer; undefined where nothing is. */
export type ResponseChecker = (exchange: Exchange) => string | undefined;

const MAX_HEAD_BYTES = 65_536;
/** Text known only to readers of our code or disk. */
const inward = [
  join(import.meta.dirname, "../.."),
  tmpdir(),
  "node_modules",
  "node:",
  ".ts:",
  "SQLITE",
];
/** Methods whose body is read. */
const withBody = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
/** A request for nothing that is documented. */
const nothing: RawRequest = { method: "GET", url: "/", contentType: undefined, body: undefined };

export function createResponseChecker(
  document: OpenApi,
  { isLegacy }: { readonly isLegacy: boolean },
): ResponseChecker {
  const undocumented = createOpenApiValidator(document);

  return ({ request, response, hidden }) => {
    const { status, head, body } = response;
    if (status >= 500) return "a fault of our own";
    const answer = `${head}\n${body}`.toLowerCase();
    const shown = hidden.find((secret) => answer.includes(secret.toLowerCase()));
    if (shown !== undefined) return `it shows ${JSON.stringify(shown)}`;
    if (/\nx-injected/i.test(head)) return "a header that was sent to it";
    if (body === "") return isEmptyOf(request, status) ? undefined : "nothing is said";
    // Scripts print what their heartbeat was answered.
    const isText =
      status === 200 && body.startsWith("OK") && /\ncontent-type: text\/plain/i.test(head);
    if (!isText && !/\ncontent-type: application\/json\r?\n/i.test(`${head}\n`))
      return "it is not called JSON";
    return (
      (isText
        ? undefined
        : objectionToError(JSON.parse(body), { isRefused: status >= 400, isLegacy })) ??
      undocumented({ request: wireRequestOf(request), status, answer: body })
    );
  };
}

function isEmptyOf({ verb }: Request, status: number): boolean {
  return verb === "HEAD" || (verb === "OPTIONS" && status === 204);
}

/** An error is one sentence, and only what is refused has one. */
function objectionToError(
  body: unknown,
  { isRefused, isLegacy }: { readonly isRefused: boolean; readonly isLegacy: boolean },
): string | undefined {
  const error = isRecord(body) && Object.keys(body).length === 1 ? body.error : undefined;
  if (typeof error !== "string")
    return isRefused ? "a refusal that is not one error and nothing else" : undefined;
  if (!isRefused && !isLegacy) return "an error with a status that says there is none";
  if (!/^[^\r\n]+$/.test(error)) return "an error that is not one line";
  const found = inward.find((word) => error.includes(word)) ?? /\bat \S+ \(/.exec(error)?.[0];
  return found === undefined ? undefined : `it tells ${JSON.stringify(found)}`;
}

function wireRequestOf(request: Request): RawRequest {
  const { verb: method, url, contentType, corruption } = request;
  const isOurs = addressOf(url).startsWith("/api/1/") || /^\/v1[/?]/.test(url);
  if (!isOurs || corruption !== undefined || headOf(request).length > MAX_HEAD_BYTES)
    return nothing;
  if (!withBody.has(method)) return { ...nothing, method, url };
  try {
    const bytes = Buffer.from(request.body, "latin1");
    const body = bodyText(bytes, { "content-type": contentType });
    return { method, url, contentType, body };
  } catch (error) {
    if (codeOf(error) !== "invalid_input") throw error;
    return { method, url, contentType, body: undefined };
  }
}
