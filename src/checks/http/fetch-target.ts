import { failed, passed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { exchange } from "../../kit/http/exchange.ts";
import type { HttpResponse, HttpProgress, HttpRequest } from "../../kit/http/exchange.ts";
import type { RunContext } from "../check-type.ts";
import { httpEvidence } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { timingsOf } from "../outcome/timings.ts";

type Headers = Readonly<Record<string, string>>;

/** What is asked of a web address. GET, unless it says otherwise. */
export interface TargetRequest extends Pick<
  HttpRequest,
  "maxBodyBytes" | "maxBodyMs" | "wrapSocket"
> {
  readonly target: URL;
  readonly ipv6: boolean;
  readonly follow: boolean;
  readonly readBody: boolean;
  readonly method?: string;
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
  readonly clientCertificate?: string | undefined;
  /** Where an answer leads that is no redirect but stands for one. */
  readonly extraRedirect?: (answer: HttpResponse) => string | undefined;
}

const MOST_REDIRECTS = 4;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** By which a web server knows us. */
export const userAgent = "Watchpost";

const USUAL_HEADERS: Headers = { "User-Agent": userAgent, Accept: "*/*" };
/** Headers that say who asks, and of whom. */
const OF_ONE_ORIGIN = new Set(["authorization", "cookie", "host", "proxy-authorization"]);

/** Asks, follows redirects where that is wanted, and has the answer judged. Whatever the end, its outcome has the timings, and the address once there is one. */
export async function fetchTarget(
  { target, ipv6, follow, extraRedirect, headers, ...rest }: TargetRequest,
  context: RunContext,
  judge: (answer: HttpResponse) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { monotonic } = context;
  const start = monotonic();
  let from = start;
  let progress: HttpProgress | undefined;
  let body: Uint8Array | undefined;

  const ask = async (request: HttpRequest): Promise<HttpResponse> => {
    from = monotonic();
    progress = undefined;
    body = undefined;
    const answer = await exchange(request, { ...context, onProgress: (made) => (progress = made) });
    ({ body } = answer);
    return answer;
  };
  const travel = async (): Promise<Outcome> => {
    let request: HttpRequest = {
      method: "GET",
      ...rest,
      url: target,
      headers: withDefaultHeaders(headers, USUAL_HEADERS),
      verifyTls: false,
      family: ipv6 ? 6 : undefined,
    };
    for (let redirects = 0; ; redirects += 1) {
      const answer = await ask(request);
      const location = (follow ? locationOf(answer) : undefined) ?? extraRedirect?.(answer);
      if (location === undefined) return judge(answer);
      if (redirects === MOST_REDIRECTS)
        return failed("redirect", "Too many redirects", "Too many redirects");
      const url = nextUrl(request.url, location);
      if (url === undefined)
        return failed("redirect", "Bad redirect", "Redirected to what is not a web address");
      request = url.origin === request.url.origin ? { ...request, url } : abroad(request, url);
    }
  };

  const outcome = await travel().catch(failureOf);
  const total = monotonic() - from;
  if (progress === undefined) return { ...outcome, timings: timingsOf({ total }, from - start) };
  const { address, phases, certificate, head } = progress;
  return {
    ...outcome,
    ...(head !== undefined && !outcome.passed && { evidence: httpEvidence(head, body) }),
    address,
    ...(certificate !== undefined && { certificate }),
    timings: timingsOf({ total, ...phases }, from - start),
  };
}

export function succeeded({ status }: HttpResponse): Outcome {
  return passed(String(status), "Success");
}

/** What is wrong with a status that should be 200 to 399; undefined where nothing is. */
export function statusFailure(
  { status }: HttpResponse,
  what = "HTTP status returned",
): Outcome | undefined {
  return status >= 200 && status < 400
    ? undefined
    : failed("status", String(status), `${what}: ${status}`);
}

/** The headers, and the defaults for what they do not say, whatever the case of a name. */
export function withDefaultHeaders(headers: Headers = {}, defaults: Headers): Headers {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return {
    ...Object.fromEntries(
      Object.entries(defaults).filter(([name]) => !given.has(name.toLowerCase())),
    ),
    ...headers,
  };
}

function locationOf({ status, headers }: HttpResponse): string | undefined {
  const location = REDIRECTS.has(status) ? headers.location : undefined;
  // Header bytes arrive as Latin-1; servers that send more than ASCII here send UTF-8.
  return typeof location === "string"
    ? Buffer.from(location, "latin1").toString("utf8")
    : undefined;
}

/** Credentials go along within their origin only. Undefined where the location is no web address. */
function nextUrl(from: URL, location: string): URL | undefined {
  const next = URL.parse(location, from.href);
  if (next === null || (next.protocol !== "http:" && next.protocol !== "https:")) return undefined;
  if (next.origin === from.origin && next.username === "" && next.password === "") {
    next.username = from.username;
    next.password = from.password;
  }
  return next;
}

/** The request as it goes to another origin: without all that is secret. */
function abroad(request: HttpRequest, url: URL): HttpRequest {
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name]) => !OF_ONE_ORIGIN.has(name.toLowerCase()),
  );
  return {
    ...request,
    url,
    headers: Object.fromEntries(headers),
    body: undefined,
    clientCertificate: undefined,
  };
}
