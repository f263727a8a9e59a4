import { parseForm } from "../../src/api/http/form.ts";
import { parseNotifications } from "../../src/api/resources/checks/subscriptions.ts";
import {
  parseHandle,
  parseIntegration,
  parsePhoneNumber,
  parseSecureUrl,
} from "../../src/channels/format/address-patterns.ts";
import { parseTemplate } from "../../src/channels/format/template.ts";
import { bodyTemplate, subjectTemplate } from "../../src/channels/mail/mail-template.ts";
import { parseMailbox } from "../../src/channels/mail/mailbox.ts";
import { createSenders } from "../../src/channels/mail/senders.ts";
import { pushCheck } from "../../src/checks/push.ts";
import { calendarProblem, nextElapse, parseCalendar } from "../../src/domain/heartbeat/calendar.ts";
import { cronProblem, isCron } from "../../src/domain/heartbeat/cron.ts";
import { cronError, nextStartOf } from "../../src/domain/maintenance.ts";
import { parseTime } from "../../src/domain/schedule.ts";
import { parseFlag } from "../../src/kit/flag.ts";
import { charsetOf } from "../../src/kit/http/body-text.ts";
import { matchesEtag } from "../../src/kit/http/etag.ts";
import { parseHost } from "../../src/kit/net/host.ts";
import { parseJson } from "../../src/kit/safe-json.ts";
import { parseInstant } from "../../src/schema/dates.ts";
import { parseList, parseRecord } from "../../src/schema/json-values.ts";
import { parseTimeZone } from "../../src/schema/time-zone.ts";
import type { Outcome } from "../../src/domain/run/outcome.ts";
import { isPush, routeOf } from "../../src/heartbeats/heartbeat-route.ts";
import { judgeHeartbeat } from "../../src/heartbeats/heartbeats.ts";
import {
  bodyOf,
  heartbeatOf,
  MAX_BODY_BYTES,
  queryOf,
} from "../../src/heartbeats/read-heartbeat.ts";
import type { Parser } from "./parsers.ts";

const BODY = 1_048_576;
/** Maximum size of a request line with its headers. */
const HEAD = 65_536;
const ADDRESS = 2000;
const NOON = Date.UTC(2026, 0, 5, 12);

const senders = createSenders({
  own: "Watchpost <alerts@watchpost.example>",
  domains: ["a.example"],
});

const heartbeat = pushCheck.prepare({
  checktoken: "b",
  fields: Object.fromEntries(
    Array.from({ length: 20 }, (_, no) => [no, { name: `${"a.".repeat(100)}${no}`, min: 0 }]),
  ),
});

const noBody = { bytes: new Uint8Array(0), cutBytes: 0, headers: {} };
const named = { isNamed: true, isText: false };

function judged(...body: Parameters<typeof bodyOf>): Outcome {
  const query = { id: "a", checktoken: "b" };
  return judgeHeartbeat(heartbeat, heartbeatOf(routeOf("/v1"), query, bodyOf(...body)));
}

/** Computes the plan of a maintenance from its cron expression. */
function planOf(cron: string): void {
  cronProblem(cron);
  if (!isCron(cron)) return;
  cronError(cron, { durationMinutes: 1, now: NOON });
  const plan = { enabled: true, cron, startsAt: undefined, endsAt: undefined };
  nextStartOf(plan, { now: NOON, timeZone: "Europe/Berlin" });
}

/** The next time that a check computes from its calendar expression. */
function elapseOf(text: string): void {
  if (calendarProblem(text) !== undefined) return;
  nextElapse(parseCalendar(text), NOON, "Europe/Berlin");
}

/** Whatever reads what a client sends. */
export const requestParsers: readonly Parser[] = [
  {
    name: "a form",
    longest: BODY,
    examples: ["a=1&b[c][]=2&d=%41+x"],
    worst: [{ start: "", piece: "a&", end: "" }],
    parse: parseForm,
  },
  {
    name: "JSON",
    longest: BODY,
    examples: ['{"a":[1,-2.5e3,"b\\u0041\\n"],"c":{"d":null}}', '{"a":1},', "[[1]],", '"a":{},'],
    worst: [
      { start: "[", piece: '{"a":1},', end: "1]" },
      { start: "", piece: "[", end: "" },
    ],
    parse: (text) => parseJson("body", text),
  },
  {
    name: "a list",
    longest: BODY,
    examples: ["a,b", '["a","b"]'],
    parse: (text) => parseList(text, 1000),
  },
  { name: "an object", longest: BODY, examples: ['{"a":"b"}'], parse: (text) => parseRecord(text) },
  {
    name: "notifications",
    longest: BODY,
    examples: ['[{"a":{"schedule":"All","delay":"0"}}]', '{"a":"All"},'],
    parse: parseNotifications,
  },
  { name: "a switch", longest: BODY, examples: ["true"], parse: parseFlag },
  {
    name: "a date",
    longest: BODY,
    examples: ["2026-01-05T10:20:30.5+01:00", "Mon, 5 Jan 2026 10:20:30 GMT", "1767600000000"],
    parse: parseInstant,
  },
  { name: "a time of day", longest: BODY, examples: ["23:59"], parse: parseTime },
  {
    name: "a time zone",
    longest: BODY,
    examples: ["Europe/Berlin", "GMT+5.75", "-7"],
    worst: [{ start: "", piece: " ", end: "x" }],
    parse: parseTimeZone,
  },
  {
    name: "a cron",
    longest: BODY,
    examples: ["0-59/2,3 */2 1,15,29 FEB-NOV MON-FRI", "0 0 30 2 *", "59 23 31 12 7"],
    parse: planOf,
  },
  {
    name: "a calendar expression",
    longest: BODY,
    examples: [
      "Mon..Fri,Sun 2027-*~1..7/2 0/2:5,10:0..30/7.5 Europe/Berlin",
      "quarterly",
      "@1800000000",
    ],
    worst: [
      { start: "", piece: " ", end: "x" },
      { start: "Mon *-02~28 23:59:", piece: "59,", end: "59" },
    ],
    parse: elapseOf,
  },
  { name: "a host", longest: 8000, examples: ["a.b.example", "[::1]", "0x7f.1"], parse: parseHost },
  { name: "a mailbox", longest: ADDRESS, examples: ["a.b+c@d.example"], parse: parseMailbox },
  { name: "a phone number", longest: ADDRESS, examples: ["+44 20 7946"], parse: parsePhoneNumber },
  { name: "a handle", longest: ADDRESS, examples: ["@a@b.example"], parse: parseHandle },
  {
    name: "a URL",
    longest: ADDRESS,
    examples: ["https://a:b@c.example/d?e=f#g"],
    parse: parseSecureUrl,
  },
  {
    name: "an integration",
    longest: ADDRESS,
    examples: ["https://a.example"],
    parse: parseIntegration,
  },
  { name: "a sender", longest: 500, examples: ['"A \\"b" <c@a.example>'], parse: senders.parse },
  {
    name: "a template",
    longest: BODY,
    examples: ["{if su}{label}{else}a{/if}"],
    parse: parseTemplate,
  },
  { name: "a subject", longest: BODY, examples: ["{label} is down"], parse: subjectTemplate.parse },
  {
    name: "a text of a mail",
    longest: BODY,
    examples: ["{label}\r\nb"],
    parse: bodyTemplate.parse,
  },
  { name: "a content type", longest: HEAD, examples: ['a/b; charset="c"'], parse: charsetOf },
  {
    name: "If-None-Match",
    longest: HEAD,
    examples: ['W/"a", "b"'],
    parse: (text) => matchesEtag('"b"', text),
  },
  {
    name: "the address of a heartbeat",
    types: ["PUSH"],
    longest: HEAD,
    examples: [
      "/v1?id=a&checktoken=b",
      "/v1/a/b/fail?msg=%41&ping=5&rid=c",
      "id=a&",
      "&checktoken=b&data=",
    ],
    parse: (text) => heartbeatOf(routeOf(text), queryOf(text), bodyOf(noBody, named)),
  },
  {
    name: "the body of a heartbeat",
    types: ["PUSH"],
    longest: MAX_BODY_BYTES,
    examples: [
      'id=a&checktoken=b&data={"a":1}',
      '{"id":"a","checktoken":"b","data":{"a.a":1,"b":[{"c":"2"}]}}',
      '{"data":{"a":',
      '"a.a":1,',
    ],
    parse: (text) =>
      judged({ bytes: Buffer.from(text), cutBytes: 0, headers: {} }, { ...named, isNamed: false }),
  },
  {
    name: "the output of a job",
    types: ["PUSH"],
    longest: MAX_BODY_BYTES,
    examples: ["a line\r\n", "10%\r20%\r", "\u001b[31mred\u001b[0m", '{"data":{"a.a":1}}'],
    worst: [
      { start: "", piece: "\r", end: "" },
      { start: "", piece: "\u001b[", end: "" },
      { start: "", piece: "\u001b]", end: "" },
    ],
    parse: (text) =>
      judged({ bytes: Buffer.from(text), cutBytes: 0, headers: {} }, { ...named, isText: true }),
  },
  { name: "a request target", longest: HEAD, examples: ["http://a.example/v1?b=c"], parse: isPush },
];
