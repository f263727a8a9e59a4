import { isIP } from "node:net";
import { domainToASCII } from "node:url";

import { z } from "zod";

import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { contains } from "../../kit/text-search.ts";
import { defineCheckType, type RunContext } from "../check-type.ts";
import { queryDns } from "./client.ts";
import { discloseSystemDns } from "./disclosure.ts";
import { findUnanswered } from "./system-dns.ts";
import { recordsFor, type DnsMessage, type DnsQuestion, type DnsRecord } from "./message.ts";
import { reverseName } from "./name.ts";
import { evidenceText } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { onOneLine } from "../outcome/text-rule.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { choice, flag, optional } from "../../schema/parameter.ts";
import { recordTypes } from "./record-types.ts";
import { contentString, dnsServer, ipv6, portOr, transport } from "../parameters/parameters.ts";
import { timingsOf } from "../outcome/timings.ts";
import { term } from "../../schema/words.ts";

/** RFC 1035, 2.3.4, with the trailing dot. */
const MAX_NAME_LENGTH = 254;
const MAX_LABEL_LENGTH = 63;

const dnsToResolve = optional(
  {
    description: "The name to query, or the IP address for a PTR; without it any response passes",
    jsonSchema: { type: "string", maxLength: MAX_NAME_LENGTH },
    expected: "must be a domain name or an IP address",
    parse: (value) => (typeof value === "string" ? parseName(value) : undefined),
  },
  undefined,
).register(formHints, {
  title: { en: "Name to look up", de: "Abzufragender Name" },
  help: {
    en: "A domain name, or an IP address for a PTR; without it any answer passes",
    de: "Ein Domainname, oder eine IP-Adresse für einen PTR; ohne ihn genügt jede Antwort",
  },
});

/** DNS names need not be host names, for example `_sip._tcp.example.com` and `0/25.2.0.192.in-addr.arpa`. */
function parseName(text: string): string | undefined {
  const isAscii = /^[!-~]+$/.test(text);
  // The conversion would drop control characters silently.
  const name = isAscii || /[\s\p{Cc}]/u.test(text) ? text : domainToASCII(text);
  const labels = name === "." ? [] : name.replace(/\.$/, "").split(".");
  const fits = labels.every((label) => /^[!-~]+$/.test(label) && label.length <= MAX_LABEL_LENGTH);
  return fits && name.length <= MAX_NAME_LENGTH ? name : undefined;
}

const schema = z.object({
  target: dnsServer,
  port: portOr(53),
  transport: transport(["udp", "tcp"]),
  dnstype: choice("The record type to query", recordTypes).register(formHints, {
    title: { en: "Record type", de: "Art des Eintrags" },
    help: { de: "Die Art des Eintrags, die abgefragt wird" },
  }),
  dnstoresolve: dnsToResolve,
  dnsrd: flag("Requests recursion", true).register(formHints, {
    title: { en: "Ask for recursion", de: "Rekursion anfordern" },
    help: { de: "Fordert Rekursion an" },
    advanced: true,
  }),
  dnssection: choice("The section of the response to search", [
    "answer",
    "authority",
    "additional",
    "edns_options",
  ]).register(formHints, {
    title: { en: "Section to search", de: "Durchsuchter Abschnitt" },
    help: { de: "Der Abschnitt der Antwort, der durchsucht wird" },
    advanced: true,
    choices: {
      answer: term("Answer"),
      authority: term("Authority"),
      additional: term("Additional"),
      edns_options: { en: "EDNS options", de: "EDNS-Optionen" },
    },
  }),
  contentstring: contentString,
  ipv6,
});
type Parameters = z.output<typeof schema>;

export const dnsCheck = defineCheckType({
  type: "DNS",
  title: term("DNS"),
  group: "network",
  summary: {
    en: "Queries a DNS server, or without a target the system's own, and passes if the text is in its response",
    de: "Fragt einen DNS-Server, oder ohne Ziel den des Systems, und besteht, wenn der Text in der Antwort steht",
  },
  target: "host",
  recognition: { ports: { 53: {} } },
  example: {
    target: "ns1.example.com",
    port: 53,
    transport: "tcp",
    dnstype: "SRV",
    dnstoresolve: "_sip._tcp.example.com",
    dnsrd: false,
    dnssection: "authority",
    contentstring: "sip.example.com",
    ipv6: false,
  },
  schema,
  run: (parameters, context) =>
    lookUp(parameters, context).catch((error: unknown) => failureAt(parameters.target, error)),
});

/** Their data are names, numbers and addresses. */
const SPELLED_IN_ANY_CASE: ReadonlySet<string> = new Set([
  "A",
  "AAAA",
  "CNAME",
  "MX",
  "NS",
  "PTR",
  "SOA",
  "SRV",
]);

async function lookUp(parameters: Parameters, context: RunContext): Promise<Outcome> {
  const { target, port, transport, ipv6 } = parameters;
  const question = questionOf(parameters);
  const call = { transport, question, family: ipv6 ? (6 as const) : undefined };
  const { message, address, phases } =
    target === undefined
      ? await discloseSystemDns(call, context)
      : await queryDns({ ...call, server: target, port }, context);
  const outcome = judge(message, parameters, question);
  const unanswered = target === undefined ? findUnanswered(message.code) : undefined;
  return {
    ...outcome,
    ...(!outcome.passed && unanswered !== undefined && { unanswered }),
    ...(address !== undefined && { address }),
    timings: timingsOf(phases, 0),
    ...(!outcome.passed && { evidence: evidenceOf(message) }),
  };
}

/** A failure to reach the resolver of the location is not known to be the target's. */
function failureAt(target: string | undefined, error: unknown): Outcome {
  const outcome = failureOf(error);
  const isKnown = target !== undefined || outcome.reason === "blocked";
  return isKnown ? outcome : { unanswered: "silent", ...outcome };
}

/** In the style of DNS tools such as dig. */
function evidenceOf({ code, answer, authority, additional }: DnsMessage): string {
  const lines = (section: string, records: readonly DnsRecord[]): readonly string[] =>
    records.map(
      ({ name, ttl, type, data }) =>
        `${section}: ${name} ${ttl} ${type} ${evidenceText(Buffer.from(data))}`,
    );
  return [
    `status: ${code}`,
    ...lines("answer", answer),
    ...lines("authority", authority),
    ...lines("additional", additional),
  ].join("\n");
}

/** Without a name any response passes, so the root is queried, which every server knows. */
function questionOf({ dnstoresolve, dnstype, dnsrd, dnssection }: Parameters): DnsQuestion {
  const asked = { recursive: dnsrd, extended: dnssection === "edns_options" };
  if (dnstoresolve === undefined) return { ...asked, name: ".", type: "NS" };
  const isAddress = dnstype === "PTR" && isIP(dnstoresolve) !== 0;
  return { ...asked, name: isAddress ? reverseName(dnstoresolve) : dnstoresolve, type: dnstype };
}

function judge(
  message: DnsMessage,
  { dnstoresolve, dnssection, contentstring = "" }: Parameters,
  question: DnsQuestion,
): Outcome {
  const { code } = message;
  if (dnstoresolve === undefined) return passed("Success", `Server Responded: ${code}`);
  if (code === "NXDOMAIN") return failed("status", "Fail", "Domain not found");
  if (code !== "NOERROR") return failed("status", "Failed", `No Resolution: ${code}`);
  const records = recordsIn(message, dnssection, question);
  if (records.length === 0) return failed("mismatch", "Failed", "No Resolution");
  return isIn(records, contentstring)
    ? passed("Success", "Domain found")
    : failed("mismatch", "Failure", `DNS does not match: ${onOneLine(contentstring)}`);
}

/** Names are the same in any case (RFC 4343), and people look for them as tools such as dig show them, with a dot at the end. */
function isIn(records: readonly DnsRecord[], wanted: string): boolean {
  const linesOf = (forms: readonly string[]): string => forms.join("\n");
  if (contains(linesOf(records.map(({ data }) => data)), wanted)) return true;
  const forms = records
    .filter(({ type }) => SPELLED_IN_ANY_CASE.has(type))
    .flatMap((record) => [record.data, withFinalDots(record)]);
  return contains(linesOf(forms).toLowerCase(), wanted.toLowerCase());
}

function withFinalDots({ type, data }: DnsRecord): string {
  if (type === "A" || type === "AAAA") return data;
  return type === "SOA" ? data.replace(/^(\S+) (\S+)/, "$1. $2.") : `${data}.`;
}

function recordsIn(
  message: DnsMessage,
  section: Parameters["dnssection"],
  question: DnsQuestion,
): readonly DnsRecord[] {
  if (section === "answer") return recordsFor(message, question);
  if (section === "authority") return message.authority;
  const options = ({ type }: DnsRecord): boolean => type === "OPT";
  return section === "additional"
    ? message.additional.filter((record) => !options(record))
    : message.additional.filter(options);
}
