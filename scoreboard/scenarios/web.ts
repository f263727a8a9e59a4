import type { Probe } from "../monitors/monitor.ts";
import type { Failure, SiteAddress, Scenario } from "../scenario.ts";

const PAGE_TEXT = "Welcome to our shop";
const FORBIDDEN_TEXT = "Fatal error";
/** Content of every healthy page. */
export const PAGE = `<html><body><h1>${PAGE_TEXT}</h1><p>All is well.</p></body></html>\n`;

type HttpProbe = Extract<Probe, { kind: "http" }>;
type Expected = Omit<HttpProbe, "kind" | "url">;

const site = ({ name }: SiteAddress, expected: Expected, scheme = "http"): HttpProbe => ({
  kind: "http",
  url: `${scheme}://${name}/`,
  ...expected,
});

interface Row {
  readonly name: string;
  readonly breaks: string;
  readonly failure: Failure;
  readonly words: readonly RegExp[];
  readonly expected?: Expected;
}

function web({ name, breaks, failure, words, expected = {} }: Row): Scenario {
  return {
    name,
    breaks,
    failure,
    words,
    service: "http",
    probe: (place) => site(place, expected),
    pattern: { kind: "outage" },
    expects: "must",
  };
}

const text = { contains: PAGE_TEXT };
const slow = /time(d)? ?-?out|deadline|no (response|answer)|exceeded|too slow|did not answer/i;
const missing =
  /not found|missing|no match|not match|does(n't| not) contain|without|keyword|pattern|regex|string|content/i;

/** Scenarios of web servers. */
export const webScenarios: readonly Scenario[] = [
  ...[500, 503, 404, 403, 429].map((status) =>
    web({
      name: `status-${status}`,
      breaks: `The site answers ${status}.`,
      failure: { kind: "response", status, body: "sorry" },
      words: [new RegExp(String(status))],
    }),
  ),
  web({
    name: "unexpected-200",
    breaks: "A page that must ask for a password answers 200.",
    failure: { kind: "response", status: 200, body: PAGE },
    expected: { status: 401 },
    words: [/200/],
  }),
  web({
    name: "text-missing",
    breaks: "The page lacks the expected text.",
    failure: { kind: "response", status: 200, body: "<html><body>Index of /</body></html>" },
    expected: text,
    words: [missing],
  }),
  web({
    name: "text-forbidden",
    breaks: "The page shows an error message with status 200.",
    failure: { kind: "response", status: 200, body: `${PAGE}${FORBIDDEN_TEXT}: out of memory` },
    expected: { lacks: FORBIDDEN_TEXT },
    words: [/found|present|contains|match|forbidden|keyword|pattern|regex|string|content/i],
  }),
  web({
    name: "body-empty",
    breaks: "The page is empty.",
    failure: { kind: "response", status: 200, body: "" },
    expected: text,
    words: [
      /empty|no (content|data|body)|not found|missing|match|contain|keyword|pattern|regex|string|content/i,
    ],
  }),
  web({
    name: "body-cut",
    breaks: "The connection ends within the page, before the expected text.",
    failure: { kind: "http", how: "cut-body" },
    expected: text,
    words: [
      /closed|reset|eof|end of|incomplete|cut|abort|broken|transfer|premature|partial|terminated|read/i,
    ],
  }),
  web({
    name: "slow-headers",
    breaks: "The answer begins after the timeout.",
    failure: { kind: "http", how: "slow-headers" },
    words: [slow],
  }),
  web({
    name: "slow-body",
    breaks: "The page comes letter by letter, and is not complete within the timeout.",
    failure: { kind: "http", how: "slow-body" },
    expected: text,
    words: [slow],
  }),
  web({
    name: "hang",
    breaks: "The server accepts connections, and never answers.",
    failure: { kind: "http", how: "hang" },
    words: [slow],
  }),
  web({
    name: "reset",
    breaks: "The server resets every connection after the request.",
    failure: { kind: "http", how: "reset" },
    words: [/reset|closed|broken|EOF|connection/i],
  }),
  web({
    name: "closed",
    breaks: "The server ends every connection without an answer.",
    failure: { kind: "http", how: "close" },
    words: [/closed|EOF|no (data|response|answer)|hang up|empty|reset|end of/i],
  }),
  web({
    name: "garbage",
    breaks: "The server answers with bytes that are not HTTP.",
    failure: { kind: "http", how: "garbage" },
    words: [/protocol|malformed|invalid|parse|not http|HTTP/i],
  }),
  web({
    name: "web-refused",
    breaks: "Nothing listens on the port.",
    failure: { kind: "packets", how: "refused" },
    words: [/refused/i],
  }),
  web({
    name: "web-dropped",
    breaks: "No packet reaches the server.",
    failure: { kind: "packets", how: "dropped" },
    words: [slow],
  }),
  web({
    name: "redirect-loop",
    breaks: "The page redirects to itself.",
    failure: { kind: "response", status: 302, location: "/" },
    expected: { followRedirects: true },
    words: [/redirect/i],
  }),
  web({
    name: "redirect-dead",
    breaks: "The page redirects to a host that refuses connections.",
    failure: { kind: "response", status: 302, location: "http://10.80.9.9/" },
    expected: { followRedirects: true },
    words: [/refused/i],
  }),
  web({
    name: "redirect-error",
    breaks: "The page redirects to an error.",
    failure: { kind: "response", status: 302, location: "/error" },
    expected: { followRedirects: true },
    words: [/500/],
  }),
  web({
    name: "latency-high",
    breaks: "Every packet takes three seconds, and the answer longer than the timeout.",
    failure: { kind: "latency", milliseconds: 3000 },
    words: [slow],
  }),
  {
    ...web({
      name: "latency-moderate",
      breaks: "Every packet takes 400 ms, and the answer a fraction of the timeout.",
      failure: { kind: "latency", milliseconds: 400 },
      words: [],
    }),
    expects: "never",
  },
  {
    ...web({
      name: "loss-30",
      breaks: "Three of ten packets are lost.",
      failure: { kind: "packets", how: "lossy" },
      words: [],
    }),
    expects: "may",
  },
  {
    ...web({
      name: "flapping",
      breaks: "The site fails for 12 seconds and works for 12 seconds in turn.",
      failure: { kind: "response", status: 503 },
      words: [],
    }),
    pattern: { kind: "flapping", seconds: 12 },
    expects: "may",
  },
];

/** No outage that a person would be called for. */
const MAX_SILENT_SECONDS = 5;

/** Outages of seconds, which end before anybody can act. */
export const blipScenarios: readonly Scenario[] = [1, 3, 5, 10, 20].flatMap((seconds) => [
  {
    ...web({
      name: `blip-${seconds}s-web`,
      breaks: `The site answers 503 for ${seconds} s once a minute.`,
      failure: { kind: "response", status: 503 },
      words: [],
    }),
    pattern: { kind: "blips", seconds },
    expects: seconds <= MAX_SILENT_SECONDS ? "never" : "may",
  },
  {
    name: `blip-${seconds}s-port`,
    breaks: `The port refuses connections for ${seconds} s once a minute.`,
    service: "tcp",
    probe: ({ address }) => ({ kind: "tcp", host: address, port: 7000 }),
    failure: { kind: "packets", how: "refused" },
    pattern: { kind: "blips", seconds },
    expects: seconds <= MAX_SILENT_SECONDS ? "never" : "may",
    words: [],
  },
]);
