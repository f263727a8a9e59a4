import dns from "node:dns";
import { isIP, SocketAddress } from "node:net";
import { domainToASCII } from "node:url";

import { z } from "zod";

import { failed, passed } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import { Unavailable } from "../kit/errors.ts";
import { defineCheckType } from "./check-type.ts";
import type { RunContext } from "./check-type.ts";
import { askDns } from "./kit/dns-client.ts";
import type { DnsAnswer, DnsCall } from "./kit/dns-client.ts";
import { recordsFor } from "./kit/dns-message.ts";
import type { DnsMessage, DnsQuestion, DnsRecord } from "./kit/dns-message.ts";
import { reverseName } from "./kit/dns-name.ts";
import { failureOf } from "./kit/failure.ts";
import { isAsWanted } from "./kit/match.ts";
import { choice, flag, optional } from "./kit/parameter.ts";
import { contentString, ipv6, optionalHost, portOr, transport } from "./kit/parameters.ts";
import { timingsOf } from "./kit/timings.ts";

/** RFC 1035, 2.3.4; of a name with the dot at its end. */
const LONGEST_NAME = 254;
const LONGEST_LABEL = 63;

const dnsToResolve = optional(
  {
    description: "The name to ask for, or the IP address for a PTR; without it any answer passes",
    forms: { type: "string", maxLength: LONGEST_NAME },
    expected: "must be a domain name or an IP address",
    parse: (value) => (typeof value === "string" ? parseName(value) : undefined),
  },
  undefined,
);

/** More than host names are in the DNS, such as `_sip._tcp.example.com` and `0/25.2.0.192.in-addr.arpa`. */
function parseName(text: string): string | undefined {
  const isAscii = /^[!-~]+$/.test(text);
  // The conversion would drop control characters without a word.
  const name = isAscii || /[\s\p{Cc}]/u.test(text) ? text : domainToASCII(text);
  const labels = name === "." ? [] : name.replace(/\.$/, "").split(".");
  const fits = labels.every((label) => /^[!-~]+$/.test(label) && label.length <= LONGEST_LABEL);
  return fits && name.length <= LONGEST_NAME ? name : undefined;
}

const schema = z.object({
  target: optionalHost,
  port: portOr(53),
  transport: transport(["udp", "tcp"]),
  dnstype: choice("The type of the records to ask for", [
    "A",
    "AAAA",
    "ANY",
    "CNAME",
    "MX",
    "NS",
    "PTR",
    "SOA",
    "SRV",
    "TXT",
  ]),
  dnstoresolve: dnsToResolve,
  dnsrd: flag("Asks the server to look further where it does not know", true),
  dnssection: choice("The section of the answer that is looked at", [
    "answer",
    "authority",
    "additional",
    "edns_options",
  ]),
  contentstring: contentString,
  ipv6,
});
type Parameters = z.output<typeof schema>;

export const dnsCheck = defineCheckType({
  type: "DNS",
  summary:
    "Asks a name server, the system's own without a target, and passes when the text is in what it answers",
  target: "host",
  schema,
  run: (parameters, context) => lookUp(parameters, context).catch(failureOf),
});

async function lookUp(parameters: Parameters, context: RunContext): Promise<Outcome> {
  const { target, port, transport, ipv6 } = parameters;
  const question = questionOf(parameters);
  const call = { transport, question, family: ipv6 ? (6 as const) : undefined };
  const { message, address, phases } =
    target === undefined
      ? await askOwnServer(call, context)
      : await askDns({ ...call, server: target, port }, context);
  const outcome = await judge(message, { parameters, question, signal: context.signal });
  return { ...outcome, address, timings: timingsOf(phases, 0) };
}

/** The root is known everywhere, so it will do where any answer passes. */
function questionOf({ dnstoresolve, dnstype, dnsrd, dnssection }: Parameters): DnsQuestion {
  const asked = { recursive: dnsrd, extended: dnssection === "edns_options" };
  if (dnstoresolve === undefined) return { ...asked, name: ".", type: "NS" };
  const isAddress = dnstype === "PTR" && isIP(dnstoresolve) !== 0;
  return { ...asked, name: isAddress ? reverseName(dnstoresolve) : dnstoresolve, type: dnstype };
}

/** The operator's own server may be dialled wherever it is, as for every other look-up. */
function askOwnServer(
  call: Pick<DnsCall, "transport" | "question">,
  context: RunContext,
): Promise<DnsAnswer> {
  const [own] = dns.getServers();
  const server =
    own === undefined ? undefined : SocketAddress.parse(isIP(own) === 6 ? `[${own}]` : own);
  if (server === undefined) throw new Unavailable("this machine has no name server");
  const { address, family } = {
    address: server.address,
    family: server.family === "ipv6" ? 6 : 4,
  } as const;
  return askDns(
    { ...call, server: address, port: server.port === 0 ? 53 : server.port, family },
    {
      ...context,
      egress: { ...context.egress, resolve: () => Promise.resolve({ address, family }) },
    },
  );
}

interface Case {
  readonly parameters: Parameters;
  readonly question: DnsQuestion;
  readonly signal: AbortSignal;
}

async function judge(
  message: DnsMessage,
  { parameters, question, signal }: Case,
): Promise<Outcome> {
  const { dnstoresolve, dnssection, contentstring } = parameters;
  const { code } = message;
  if (dnstoresolve === undefined) return passed("Success", `Server Responded: ${code}`);
  if (code === "NXDOMAIN") return failed("status", "Fail", "Domain not found");
  if (code !== "NOERROR") return failed("status", "Failed", `No Resolution: ${code}`);
  const records = recordsIn(message, dnssection, question);
  if (records.length === 0) return failed("mismatch", "Failed", "No Resolution");
  const text = records.map(({ data }) => data).join("\n");
  return (await isAsWanted({ contentstring }, text, signal))
    ? passed("Success", "Domain found")
    : failed("mismatch", "Failure", "DNS does not match");
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
