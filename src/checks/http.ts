import { z } from "zod";

import { failed, passed } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Timings } from "../domain/result.ts";
import { exchange } from "../kit/http-exchange.ts";
import type { HttpAnswer } from "../kit/http-exchange.ts";
import { defineCheckType } from "./check-type.ts";
import type { RunContext } from "./check-type.ts";
import { failureOf } from "./kit/failure.ts";
import { flag, httpUrl } from "./kit/parameters.ts";
import { timingsOf } from "./kit/timings.ts";

const MOST_REDIRECTS = 4;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = { "User-Agent": "Watchpost", Accept: "*/*" };

export const httpCheck = defineCheckType({
  type: "HTTP",
  summary: "Asks a web address, and passes when the status of the answer is 200 to 399",
  target: "url",
  schema: z.object({ target: httpUrl, follow: flag, ipv6: flag }),
  run: ({ target, follow, ipv6 }, context) =>
    visit({ url: target, follow, family: ipv6 ? 6 : undefined }, context).catch(failureOf),
});

interface Visit {
  readonly url: URL;
  readonly follow: boolean;
  readonly family: 6 | undefined;
}

async function visit({ url, follow, family }: Visit, context: RunContext): Promise<Outcome> {
  const start = context.monotonic();
  let from = start;
  let here = url;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await exchange(
      { url: here, method: "GET", headers: HEADERS, readBody: false, verifyTls: false, family },
      context,
    );
    const location = follow ? locationOf(answer) : undefined;
    if (location === undefined) return judge(answer, timingsOf(answer.phases, from - start));
    if (redirects === MOST_REDIRECTS)
      return failed("redirect", "Too many redirects", "Too many redirects");
    const next = nextUrl(here, location);
    if (next === undefined)
      return failed("redirect", "Bad redirect", "Redirected to what is not a web address");
    here = next;
    from = context.monotonic();
  }
}

function judge({ status, address }: HttpAnswer, timings: Timings): Outcome {
  const text = String(status);
  return status >= 200 && status < 400
    ? passed(text, "Success", { address, timings })
    : { ...failed("status", text, `HTTP status returned: ${text}`), address, timings };
}

function locationOf({ status, headers }: HttpAnswer): string | undefined {
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
