import type { TLSSocket } from "node:tls";

import { type Outcome, failed, passed } from "../../domain/run/outcome.ts";
import {
  type BodyStart,
  type HttpProgress,
  type HttpRequest,
  type HttpResponse,
  type HttpResponseHead,
  exchange,
} from "../../kit/http/exchange.ts";
import { targetWithoutQuery } from "../../domain/target.ts";
import type { RunContext } from "../check-type.ts";
import { httpEvidence, maxEvidenceLength } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { MAX_TITLE_BYTES, isTitled, titleOf } from "../outcome/page-title.ts";
import { timingsOf } from "../outcome/timings.ts";
import { type RunCookies, createRunCookies } from "./run-cookies.ts";
import { judgeCertificate, sslMessages } from "../tls/certificate-rules.ts";
import { factsOf } from "../tls/handshake.ts";

type Headers = Readonly<Record<string, string>>;

/** A request to a target. The method is GET by default. */
export interface TargetRequest extends Pick<
  HttpRequest,
  "maxBodyBytes" | "maxBodyMs" | "wrapSocket"
> {
  readonly target: URL;
  readonly ipv6: boolean;
  readonly follow: boolean;
  readonly readBody: boolean;
  readonly certificate?: CertificateRequirements;
  /** The statuses that fail, of whose page the beginning is kept as evidence; those that are not 200 to 399 unless given. */
  readonly isFailing?: (status: number) => boolean;
  readonly method?: string;
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
  readonly clientCertificate?: string | undefined;
  /** A location to follow in a response that is not a redirect, such as the first entry of a playlist. */
  readonly extraRedirect?: (answer: HttpResponse) => string | undefined;
}

const MAX_REDIRECTS = 4;
/** How many characters of the last address are in a message. */
const MAX_ADDRESS = 300;
/** How long the page of a failing status may take after its head: evidence is not worth more of a run. */
const EVIDENCE_MS = 300;
const EVIDENCE_START: BodyStart = { limitBytes: maxEvidenceLength, maxMs: EVIDENCE_MS };
/** How much of a page may be read for its title, and how long that may take after its head. */
const TITLE_START: BodyStart = { limitBytes: MAX_TITLE_BYTES, maxMs: 1000 };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The User-Agent of all HTTP requests. */
export const userAgent = "Watchpost";

const USUAL_HEADERS: Headers = { "User-Agent": userAgent, Accept: "*/*" };
/** Headers that are never sent to another origin. */
const ORIGIN_HEADERS = new Set(["authorization", "cookie", "host", "proxy-authorization"]);

/** Sends a request, follows redirects if wanted, and judges the response. The outcome always has the timings, and the address once it is known. */
export async function fetchTarget(
  {
    target,
    ipv6,
    follow,
    extraRedirect,
    headers,
    isFailing = isFailingStatus,
    certificate: wishes,
    ...rest
  }: TargetRequest,
  context: RunContext,
  judge: (answer: HttpResponse) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { monotonic, wantsTitle } = context;
  const start = monotonic();
  let from = start;
  let progress: HttpProgress | undefined;
  let body: Uint8Array | undefined;
  /** Undefined until the first redirect. */
  let redirectedTo: URL | undefined;
  let cookies: RunCookies | undefined;

  const ask = async (request: HttpRequest): Promise<HttpResponse> => {
    from = monotonic();
    progress = undefined;
    body = undefined;
    const answer = await exchange(request, { ...context, onProgress: (made) => (progress = made) });
    ({ body } = answer);
    return answer;
  };
  const followRedirects = async (): Promise<Outcome> => {
    let request: HttpRequest = {
      method: "GET",
      ...rest,
      url: target,
      headers: withDefaultHeaders(headers, USUAL_HEADERS),
      verifyTls: false,
      inspectTls: wishes && createInspector(wishes, context.now),
      bodyStart: (head) => bodyStartOf(head, { isFailing, wantsTitle }),
      family: ipv6 ? 6 : undefined,
    };
    for (let redirects = 0; ; redirects += 1) {
      const answer = await ask(
        cookies === undefined
          ? request
          : { ...request, headers: cookies.addTo(request.url, request.headers ?? {}) },
      );
      const location = (follow ? locationOf(answer) : undefined) ?? extraRedirect?.(answer);
      if (location === undefined) return judge(answer);
      /* guard: redirects */ if (redirects === MAX_REDIRECTS)
        return failed("redirect", "Too many redirects", "Too many redirects");
      cookies ??= createRunCookies(context.now);
      cookies.keep(request.url, [answer.headers["set-cookie"] ?? []].flat());
      const url = nextUrl(request.url, location);
      if (url === undefined)
        return failed("redirect", "Bad redirect", "Redirected to what is not a web address");
      redirectedTo = url;
      request =
        // guard: credentials stay within their origin = then
        url.origin === request.url.origin ? { ...request, url } : toOtherOrigin(request, url);
    }
  };

  const judged = await followRedirects().catch((error: unknown) =>
    error instanceof RefusedCertificate ? error.outcome : failureOf(error),
  );
  const outcome = redirectedTo === undefined ? judged : withRedirect(judged, redirectedTo);
  const total = monotonic() - from;
  if (progress === undefined) return { ...outcome, timings: timingsOf({ total }, from - start) };
  const { address, phases, certificate, head } = progress;
  return {
    ...outcome,
    ...(head !== undefined && !outcome.passed && { evidence: httpEvidence(head, body) }),
    ...(wantsTitle && titleIn(outcome, head, body)),
    address,
    ...(certificate !== undefined && { certificate }),
    timings: timingsOf({ total, ...phases }, from - start),
  };
}

/** How much is read of a body that is not read for its content. */
function bodyStartOf(
  head: HttpResponseHead,
  {
    isFailing,
    wantsTitle = false,
  }: { readonly isFailing: (status: number) => boolean; readonly wantsTitle: boolean | undefined },
): BodyStart | undefined {
  if (isFailing(head.status)) return EVIDENCE_START;
  return wantsTitle && isTitled(head) ? TITLE_START : undefined;
}

/** The title of the page of a run that passed. */
function titleIn(
  { passed: isPassed }: Outcome,
  head: HttpResponseHead | undefined,
  body: Uint8Array = new Uint8Array(),
): Pick<Outcome, "title"> {
  if (!isPassed || head === undefined || !isTitled(head)) return {};
  const title = titleOf(body, String(head.headers["content-type"] ?? ""));
  return title === undefined ? {} : { title };
}

/** The outcome whose message, where it failed, names the last address of its redirects. */
function withRedirect(outcome: Outcome, { href: target }: URL): Outcome {
  if (outcome.passed) return outcome;
  const address = targetWithoutQuery({ target }).slice(0, MAX_ADDRESS);
  return { ...outcome, message: `${outcome.message} (after a redirect to ${address})` };
}

export function succeeded({ status }: HttpResponse): Outcome {
  return passed(String(status), "Success");
}

/** The failure of a status other than 200 to 399; undefined otherwise. */
export function statusFailure(
  { status }: HttpResponse,
  what = "HTTP status returned",
): Outcome | undefined {
  return isFailingStatus(status)
    ? failed("status", String(status), `${what}: ${status}`)
    : undefined;
}

function isFailingStatus(status: number): boolean {
  return status < 200 || status >= 400;
}

/** Adds default headers, ignoring the case of names. */
export function withDefaultHeaders(headers: Headers = {}, defaults: Headers): Headers {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return {
    ...Object.fromEntries(
      Object.entries(defaults).filter(([name]) => !given.has(name.toLowerCase())),
    ),
    ...headers,
  };
}

/** Returns the target of a redirect; undefined if there is none. */
function locationOf({ status, headers }: HttpResponse): string | undefined {
  const location = REDIRECTS.has(status) ? headers.location : undefined;
  if (typeof location !== "string" || location === "") return undefined;
  // Node decodes headers as Latin-1. Like browsers, we ask for the bytes that were sent, which are mostly UTF-8.
  return location.replaceAll(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The next URL, with the credentials only within the same origin. Undefined if the location is not an HTTP URL. */
function nextUrl(from: URL, location: string): URL | undefined {
  const next = URL.parse(location, from.href);
  if (next === null || (next.protocol !== "http:" && next.protocol !== "https:")) return undefined;
  if (next.origin === from.origin && next.username === "" && next.password === "") {
    next.username = from.username;
    next.password = from.password;
  }
  return next;
}

/** The request without everything that must not be sent to another origin. */
function toOtherOrigin(request: HttpRequest, url: URL): HttpRequest {
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name]) => !ORIGIN_HEADERS.has(name.toLowerCase()),
  );
  return {
    ...request,
    url,
    headers: Object.fromEntries(headers),
    body: undefined,
    clientCertificate: undefined,
  };
}

/** Ends an exchange before anything is asked. */
class RefusedCertificate extends Error {
  override readonly name = "RefusedCertificate";
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.message);
    this.outcome = outcome;
  }
}

interface CertificateRequirements {
  /** Whether the certificate must be trusted and match the name. */
  readonly verify: boolean;
  /** Fails that many days before it expires. */
  readonly warningdays: number | undefined;
}

/** Judges the certificate of each requested server like an SSL check, including redirects; undefined if not requested. */
function createInspector(
  { verify, warningdays: warningDays }: CertificateRequirements,
  now: () => number,
): ((socket: TLSSocket, host: string) => void) | undefined {
  if (!verify && warningDays === undefined) return undefined;
  return (socket, host) => {
    const rules = { verify, warningDays, messages: sslMessages, now: now() };
    const failure = judgeCertificate(factsOf(socket, host), rules);
    if (failure !== undefined) throw new RefusedCertificate(failure);
  };
}
