import { Resolver as DnsResolver } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

import { unlessAborted } from "../abort.ts";
import { systemClock, type Clock } from "../clock.ts";
import { AppError, codeOf } from "../errors.ts";
import {
  createResolverControl,
  type ResolverControl,
  type Unanswered,
} from "./resolver-control.ts";
import { createRouteLookup, type HasRoute } from "./route.ts";

/** A name has no address, or the resolver gave no answer. The message is shown to users. */
export class DnsFailure extends AppError {
  readonly code = "dns_failure";
  /** Undefined if the resolver did answer: the name does not exist, or has no address. */
  readonly unanswered: Unanswered | undefined;
  /** The name that the resolver left unanswered, where that is known. */
  readonly lookup: string | undefined;

  constructor(
    message: string,
    options?: ErrorOptions & { readonly unanswered?: Unanswered; readonly lookup?: string },
  ) {
    super(message, options);
    this.unanswered = options?.unanswered;
    this.lookup = options?.lookup;
  }
}

export interface ResolveOptions {
  readonly family?: 4 | 6 | undefined;
  readonly signal: AbortSignal;
}

export interface Resolver {
  /** Returns every address of a name: IPv4, or IPv6 if there is no IPv4, no route to it, or `family` requires it; never empty. */
  readonly resolve: (name: string, options: ResolveOptions) => Promise<readonly string[]>;
  /**
   * Called after a lookup without an answer, with its name if known: returns whether the DNS servers answer a new query that no cache can answer, and still do
   * not resolve the name.
   */
  readonly works: ResolverControl["works"];
  /** Whether the DNS servers found names before, and answer no such query now. */
  readonly isLost: ResolverControl["isLost"];
}

export interface ResolverOptions {
  readonly hostsFile?: string;
  readonly resolvFile?: string;
  /** `address:port` of the DNS servers to query instead of the system's. */
  readonly servers?: readonly string[];
  readonly hasRoute?: HasRoute;
  readonly clock?: Pick<Clock, "monotonic" | "setTimer">;
}

interface Dns {
  /** One that asks the servers in turn until one answers, then one for each of the others alone, for an answer that decides nothing. */
  readonly resolvers: readonly [DnsResolver, ...DnsResolver[]];
  readonly search: readonly string[];
}

/** `none` means that the name has no address of the family, `unknown` that it does not exist. */
type QueryResult = readonly string[] | "none" | "unknown";

const ERRORS: Readonly<Record<string, string>> = {
  // c-ares reports this for our own DNS server, never for the target.
  ECONNREFUSED: "no DNS server can be reached",
  ETIMEOUT: "the DNS server did not answer",
  ESERVFAIL: "the DNS server failed",
  EREFUSED: "the DNS server refused",
  EBADRESP: "the DNS server sent a malformed answer",
  EFORMERR: "the DNS server found the question malformed",
  ENOTIMP: "the DNS server does not know such questions",
  EBADNAME: "it is not a valid name",
};

/** Error codes of a server that cannot or will not resolve. Resolvers then ask the next server, but c-ares under Node.js does not. */
const UNDECIDED: ReadonlySet<string> = new Set(["ESERVFAIL", "EREFUSED", "ENOTIMP", "EFORMERR"]);
/** Maximum servers that resolv.conf(5) allows. */
const MAX_SERVERS = 3;

/** Resolves by /etc/hosts, then by DNS; `dns.lookup` would share four threads among all probes. */
export function createResolver({
  hostsFile = "/etc/hosts",
  resolvFile = "/etc/resolv.conf",
  servers,
  hasRoute = createRouteLookup(systemClock.monotonic),
  clock = systemClock,
}: ResolverOptions = {}): Resolver {
  const hosts = rereadOnChange(hostsFile, parseHosts);
  const dns = rereadOnChange(resolvFile, (text): Dns => {
    const first = resolverOf(servers);
    const others = first.getServers().slice(1, MAX_SERVERS);
    return {
      resolvers: [first, ...others.map((server) => resolverOf([server]))],
      search: parseSearch(text),
    };
  });
  const control = createResolverControl({
    ask: (name) => queryInTurn(dns().resolvers, (resolver) => resolver.resolve4(name)),
    clock,
  });
  const lookUp: Resolver["resolve"] = async (name, { family, signal }) => {
    signal.throwIfAborted();
    const bare = name.replace(/\.$/, "").toLowerCase();
    const listed = ofFamily(hosts().get(bare) ?? reserved(bare) ?? [], family);
    if (listed.length > 0) return listed;
    if (isReserved(bare, "localhost")) throw new DnsFailure(`No addresses found for ${name}`);
    if (isReserved(bare, "invalid")) throw new DnsFailure(`No DNS resolution for ${name}`);
    // c-ares cannot cancel a single query, so an aborted one runs to its end.
    const found = await unlessAborted(query(dns(), name, family), signal);
    if (found === undefined) throw signal.reason;
    control.answered(found.name, found.addresses);
    return found.addresses;
  };
  return {
    works: control.works,
    isLost: control.isLost,
    async resolve(name, options) {
      const addresses = await lookUp(name, options);
      const [address = ""] = addresses;
      if (options.family !== undefined || isIP(address) !== 4 || (await hasRoute(address)))
        return addresses;
      // A machine that has IPv6 alone; without IPv6 either, the failure is that of IPv4.
      return lookUp(name, { ...options, family: 6 }).catch(() => addresses);
    },
  };
}

/** Uses the system's servers if none are given. */
function resolverOf(servers: readonly string[] | undefined): DnsResolver {
  const resolver = new DnsResolver();
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

async function query(
  { resolvers, search }: Dns,
  name: string,
  family: 4 | 6 | undefined,
): Promise<{ readonly name: string; readonly addresses: readonly string[] }> {
  let exists = false;
  for (const candidate of name.includes(".")
    ? [name]
    : [...search.map((domain) => `${name}.${domain}`), name]) {
    const result = await queryOne(resolvers, candidate, family);
    if (result === "none") exists = true;
    else if (result !== "unknown") return { name: candidate, addresses: result };
  }
  throw new DnsFailure(`${exists ? "No addresses found" : "No DNS resolution"} for ${name}`);
}

async function queryOne(
  resolvers: Dns["resolvers"],
  name: string,
  family: 4 | 6 | undefined,
): Promise<QueryResult> {
  const ask = (version: 4 | 6): Promise<QueryResult> =>
    outcomeOf(
      name,
      queryInTurn(resolvers, (resolver) =>
        version === 4 ? resolver.resolve4(name) : resolver.resolve6(name),
      ),
    );
  const result = family === 6 ? "none" : await ask(4);
  return result === "none" && family !== 4 ? ask(6) : result;
}

async function queryInTurn(
  [first, ...others]: Dns["resolvers"],
  ask: (resolver: DnsResolver) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await ask(first);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !UNDECIDED.has(codeOf(error) ?? "")) throw error;
    return queryInTurn([next, ...rest], ask);
  }
}

async function outcomeOf(name: string, query: Promise<readonly string[]>): Promise<QueryResult> {
  try {
    const addresses = await query;
    return addresses.length > 0 ? addresses : "none";
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "ENODATA") return "none";
    if (code === "ENOTFOUND") return "unknown";
    const problem = ERRORS[code];
    if (problem === undefined) throw error;
    const message = `Error resolving ${name}: ${problem}`;
    if (code === "EBADNAME") throw new DnsFailure(message, { cause: error });
    const unanswered = code === "EREFUSED" ? "refused" : "silent";
    throw new DnsFailure(message, { cause: error, unanswered, lookup: name });
  }
}

/** RFC 6761, 6.3: localhost is never sent to a DNS server. */
function reserved(name: string): readonly string[] | undefined {
  return isReserved(name, "localhost") ? ["127.0.0.1", "::1"] : undefined;
}

function isReserved(name: string, domain: "localhost" | "invalid"): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

function ofFamily(addresses: readonly string[], family: 4 | 6 | undefined): readonly string[] {
  const wanted = addresses.filter((address) => isIP(address) === (family ?? 4));
  return wanted.length > 0 || family !== undefined ? wanted : addresses;
}

/** Names to addresses, as in hosts(5). */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, readonly string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return hosts;
}

/** The search domains of resolv.conf(5): the last `search` or `domain` line counts. */
export function parseSearch(text: string): readonly string[] {
  const lines = text.split("\n").map((line) =>
    line
      .replace(/[#;].*/, "")
      .trim()
      .split(/\s+/),
  );
  const [, ...domains] =
    lines.findLast(([keyword]) => keyword === "search" || keyword === "domain") ?? [];
  return domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "");
}

/** The parsed content of a file, which is read again after a change. A missing file counts as empty. */
function rereadOnChange<Value>(path: string, parse: (text: string) => Value): () => Value {
  let known: { readonly version: string; readonly value: Value } | undefined;
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const version = stat === undefined ? "" : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
    if (known?.version !== version)
      known = { version, value: parse(stat === undefined ? "" : readFileSync(path, "utf8")) };
    return known.value;
  };
}
