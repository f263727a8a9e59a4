import { isIP } from "node:net";

import ipaddr from "ipaddr.js";
import { z } from "zod";

import { type Outcome, failed, passed } from "../../domain/run/outcome.ts";
import { Interrupted } from "../../kit/net/dial.ts";
import { Blocked, Unavailable } from "../../kit/errors.ts";
import { DnsFailure } from "../../kit/net/resolver.ts";
import { type ProbedCheckType, type RunContext, defineCheckType } from "../check-type.ts";
import { reverseName } from "./name.ts";
import { querySystemDns, findUnanswered } from "./system-dns.ts";
import { assertAllowed } from "./disclosure.ts";
import { type DnsMessage, type DnsQuestion, recordsFor } from "./message.ts";
import { failureOf } from "../outcome/failure.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { optional } from "../../schema/parameter.ts";
import { host } from "../parameters/parameters.ts";
import { timingsOf } from "../outcome/timings.ts";

export interface DnsblZone {
  /** The zone of its entries, which is also its name. */
  readonly zone: string;
  readonly families: readonly (4 | 6)[];
}

/** Lists that can be queried at low rates without an account. Lists that escalate to whole networks are left out. */
export const dnsblZones: readonly DnsblZone[] = [
  { zone: "all.s5h.net", families: [4, 6] },
  { zone: "bl.0spam.org", families: [4] },
  { zone: "bl.blocklist.de", families: [4] },
  { zone: "bl.ipv6.spameatingmonkey.net", families: [6] },
  { zone: "bl.mailspike.net", families: [4] },
  { zone: "bl.nordspam.com", families: [4] },
  { zone: "bl.scientificspam.net", families: [4] },
  { zone: "bl.spamcop.net", families: [4] },
  { zone: "bl.spameatingmonkey.net", families: [4] },
  { zone: "bl.suomispam.net", families: [4] },
  { zone: "dnsbl-1.uceprotect.net", families: [4] },
  { zone: "dnsbl.dronebl.org", families: [4, 6] },
  { zone: "dnsbl.zapbl.net", families: [4] },
  { zone: "psbl.surriel.com", families: [4] },
  { zone: "rbl.interserver.net", families: [4] },
  { zone: "truncate.gbudb.net", families: [4] },
  { zone: "zen.spamhaus.org", families: [4, 6] },
];

/** RFC 5782, 5: no working list contains it; a list that has shut down may list every address. */
const NEVER_LISTED = { 4: "127.0.0.1", 6: "::ffff:127.0.0.1" };

/** Addresses of 127.0.0.0/8, except 127.0.0.1, which blocking resolvers return, and 127.255.255.0/24, by which lists refuse a query. */
const CODE = /^127\.(?!0\.0\.1$|255\.255\.)/;

const MAX_IGNORED_LENGTH = 10_000;
const MAX_ADDRESSES = 8;
const MAX_AT_ONCE = 32;
/** Below the 300,000 queries a day that Spamhaus answers without a contract (https://www.spamhaus.org/blocklists/dnsbl-fair-use-policy). */
const MAX_PER_MINUTE = 120;

export const rblCheck = createRblCheck(dnsblZones, querySystemDns);

/** Creates the type for given lists and a given DNS server. */
export function createRblCheck(
  lists: readonly DnsblZone[],
  askServer: typeof querySystemDns,
): ProbedCheckType<"RBL"> {
  return defineCheckType({
    type: "RBL",
    title: { en: "DNS block lists", de: "DNS-Sperrlisten" },
    group: "mail",
    summary: {
      en: "Looks up an address in DNS block lists, and passes if none of them lists it",
      de: "Sucht eine Adresse in DNS-Sperrlisten, und besteht, wenn sie in keiner steht",
    },
    target: "host",
    maxPerMinute: MAX_PER_MINUTE,
    example: { target: "192.0.2.1", ignore: "zen.spamhaus.org, bl.spamcop.net" },
    schema: z.object({ target: host, ignore: ignoring(lists) }),
    run({ target, ignore }, context) {
      const wanted = lists.filter(({ zone }) => !ignore.includes(zone));
      const ask: ResolveRecords = async (asked) => {
        const question = { ...asked, recursive: true, extended: false };
        return (await askServer({ transport: "udp", question }, context)).message;
      };
      return lookUp(target, { lists: wanted, ask, ...context }).catch(notFound);
    },
  });
}

function ignoring(lists: readonly DnsblZone[]): z.ZodType<readonly string[]> {
  return optional(
    {
      description: `Block lists to ignore, separated by commas: any of ${lists.map(({ zone }) => zone).join(", ")}`,
      jsonSchema: {
        type: ["string", "array"],
        maxLength: MAX_IGNORED_LENGTH,
        maxItems: MAX_IGNORED_LENGTH,
        items: { type: "string", maxLength: MAX_IGNORED_LENGTH },
      },
      expected: `must be names divided by commas, of at most ${MAX_IGNORED_LENGTH} characters`,
      parse(value): readonly string[] | undefined {
        const list = Array.isArray(value) ? value.join(",") : value;
        if (typeof list !== "string" || list.length > MAX_IGNORED_LENGTH) return undefined;
        return list
          .split(",")
          .map((name) => name.trim().toLowerCase())
          .filter((name) => name !== "");
      },
    },
    [],
  ).register(formHints, {
    title: { en: "Block lists to ignore", de: "Ignorierte Sperrlisten" },
    help: { en: "Their names, separated by commas", de: "Ihre Namen, durch Kommas getrennt" },
    input: "line",
    advanced: true,
  });
}

interface Tools extends Pick<RunContext, "egress" | "monotonic" | "signal"> {
  readonly lists: readonly DnsblZone[];
  readonly ask: ResolveRecords;
}

async function lookUp(
  target: string,
  { lists, ask, egress, monotonic, signal }: Tools,
): Promise<Outcome> {
  const start = monotonic();
  const isLiteral = isIP(target) !== 0;
  const addresses = isLiteral ? [plain(target)] : await addressesOf(target, ask);
  // A literal address is known to its author, but the outcome would disclose the addresses of a name.
  if (!isLiteral)
    for (const address of addresses) await assertAllowed(address, target, { egress, signal });
  const dns = monotonic() - start;
  const places = addresses
    .filter((address) => mayBeListed(address, egress))
    .flatMap((address) => placesOf(address, lists));
  const findings = await inParallel(places, (place) => queryDnsbl(place, ask));
  const phases = { ...(!isLiteral && { dns }), total: monotonic() - start };
  return { ...judge(addresses, findings), timings: timingsOf(phases, 0) };
}

/** Every address of a name, because any of them may be listed. */
async function addressesOf(target: string, ask: ResolveRecords): Promise<readonly string[]> {
  for (const type of ["A", "AAAA"] as const) {
    const question = { name: target, type };
    const message = await ask(question);
    const { code } = message;
    if (code === "NXDOMAIN") throw new DnsFailure(`No DNS resolution for ${target}`);
    if (code !== "NOERROR") {
      const unanswered = findUnanswered(code) ?? "silent";
      throw new DnsFailure(`Error resolving ${target}: ${code}`, { unanswered });
    }
    const found = recordsFor(message, question).map(({ data }) => plain(data));
    // Servers rotate the order of addresses.
    if (found.length > 0) return found.toSorted().slice(0, MAX_ADDRESSES);
  }
  throw new DnsFailure(`No addresses found for ${target}`);
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plain(address: string): string {
  return ipaddr.process(address).toString();
}

/** Lists contain no private networks, but every list has test entries in 127.0.0.0/8 (RFC 5782, 5). */
function mayBeListed(address: string, { isPublic }: Tools["egress"]): boolean {
  return isPublic(address) || address.startsWith("127.");
}

function placesOf(address: string, lists: readonly DnsblZone[]): readonly DnsblQuery[] {
  const family = isIP(address) === 4 ? 4 : 6;
  return lists
    .filter(({ families }) => families.includes(family))
    .map(({ zone }) => ({ address, family, zone }));
}

/** Processes a limited number of items at once, and gives the results in their order. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
  return results;
}

function judge(addresses: readonly string[], findings: readonly DnsblListing[]): Outcome {
  if (findings.length === 0) {
    const message = `Not found in any RBLs: none is asked about ${addresses.join(", ")}`;
    return passed("Not listed", message, { runtimeMs: 0 });
  }
  const silent = findings.filter(({ codes }) => codes === undefined).map(({ zone }) => zone);
  if (silent.length === findings.length) throw new Unavailable("no block list answered");
  const listings = findings.flatMap(({ zone, codes = [] }) =>
    codes.length === 0 ? [] : [`${zone}:${codes.join(" ")}`],
  );
  const seen = { runtimeMs: listings.length, evidence: findings.map(evidenceOf).join("\n") };
  if (listings.length > 0)
    return { ...failed("listed", "Listed", `Found in RBLs: ${oneOfEach(listings)}`), ...seen };
  const unknown = silent.length === 0 ? "" : `; no answer from ${oneOfEach(silent)}`;
  return passed("Not listed", `Not found in any RBLs${unknown}`, seen);
}

function oneOfEach(words: readonly string[]): string {
  return [...new Set(words)].join(", ");
}

function evidenceOf({ address, zone, codes }: DnsblListing): string {
  const said = codes === undefined ? "no answer" : codes.join(" ") || "not listed";
  return `${address} in ${zone}: ${said}`;
}

/** Any other error of the network is one of our own DNS server, whose address is not disclosed. */
function notFound(error: unknown): Outcome {
  if (error instanceof Interrupted) return failureOf(new Interrupted("dns"));
  const failure = failureOf(error);
  if (error instanceof DnsFailure || error instanceof Blocked) return failure;
  const message = `The DNS server of this location failed: ${failure.text}`;
  return { ...failed("dns", "Error", message), unanswered: "silent" };
}

type ResolveRecords = (question: Pick<DnsQuestion, "name" | "type">) => Promise<DnsMessage>;

/** An address to look up, and the zone of the list. */
interface DnsblQuery {
  readonly address: string;
  readonly family: 4 | 6;
  readonly zone: string;
}

interface DnsblListing extends DnsblQuery {
  /** The return codes of the listing, none if the address is not listed; undefined if the list gave no usable response. */
  readonly codes: readonly string[] | undefined;
}

async function queryDnsbl(place: DnsblQuery, ask: ResolveRecords): Promise<DnsblListing> {
  const { address, family, zone } = place;
  const codes = await codesIn(zone, address, ask);
  if (codes === undefined || codes.length === 0) return { ...place, codes };
  const ofNobody = (await codesIn(zone, NEVER_LISTED[family], ask)) ?? [];
  return { ...place, codes: ofNobody.length === 0 ? codes : undefined };
}

async function codesIn(
  zone: string,
  address: string,
  ask: ResolveRecords,
): Promise<readonly string[] | undefined> {
  const question = { name: reverseName(address, zone), type: "A" } as const;
  // A failure of one list does not affect the others.
  const message = await ask(question).catch(() => undefined);
  if (message?.code === "NXDOMAIN") return [];
  if (message?.code !== "NOERROR") return undefined;
  const codes = recordsFor(message, question).map(({ data }) => data);
  return codes.every((code) => CODE.test(code)) ? codes : undefined;
}
