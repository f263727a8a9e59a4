import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

import { Blocked } from "../errors.ts";
import { memoize } from "./memoize.ts";
import { embeddedIpv4 } from "./embedded-ipv4.ts";
import { parseHost } from "./host.ts";
import type { OwnListener } from "./own-listener.ts";
import { isForbidden, isGlobal, isPublicAddress } from "./public-address.ts";
import { DnsFailure, type ResolveOptions, type Resolver } from "./resolver.ts";

export type EgressMode = "private" | "public";

/** Resolves hosts, and decides which addresses may be dialled: by checks, redirects, webhooks and all channels. */
export interface Egress {
  /** Resolves a host name or literal to the address to dial. Throws Blocked if the policy refuses it, and DnsFailure if there is none. */
  readonly resolve: (host: string, options: EgressOptions) => Promise<ResolvedAddress>;
  /** True for addresses of the public Internet: not private, loopback, link-local or otherwise special. */
  readonly isPublic: (address: string) => boolean;
  /** Tests whether the resolver works after a lookup without an answer. Undefined if no names are resolved. */
  readonly resolverWorks?: Resolver["works"] | undefined;
  /** Whether the resolver answered before, and does not any more. */
  readonly isResolverLost?: Resolver["isLost"] | undefined;
  /** Waits until the address may be dialled, if its concurrency is limited. */
  readonly admit?: ((address: string) => Promise<void> | undefined) | undefined;
}

/** Options for dialling a host. */
interface EgressOptions extends ResolveOptions {
  /** Undefined if the protocol has no ports. */
  readonly port?: number | undefined;
  /** The path of an HTTP request. */
  readonly path?: string | undefined;
}

/** Whether connections to this process itself are allowed. */
export interface OwnPolicy {
  readonly listener: Pick<OwnListener, "isAt">;
  /** Returns the reason for refusing such a connection; undefined if it is allowed. */
  readonly refusal: (path: string | undefined) => string | undefined;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Whether it is of this machine itself, so that no network lies between. */
export const isLoopbackAddress = memoize(
  (address) => ipaddr.process(address).range() === "loopback",
);

/** Length of the IPv6 prefix of a network, whose owner has all addresses in it: RFC 4291, 2.5.4. */
const NETWORK_PARTS = 4;

/** Returns the party behind an address for limits: an IPv4 address, however embedded, or a public IPv6 network by its first address. */
export function networkOf(address: string): string {
  const parsed = ipaddr.parse(address);
  const embedded = embeddedIpv4(parsed);
  if (embedded?.transparent === true) return embedded.address.toString();
  if (parsed instanceof ipaddr.IPv4 || !isGlobal(parsed)) return parsed.toString();
  const parts = parsed.parts.map((part, index) => (index < NETWORK_PARTS ? part : 0));
  return new ipaddr.IPv6(parts).toString();
}

export function createEgress({
  mode,
  resolver,
  own,
}: {
  readonly mode: EgressMode;
  readonly resolver: Pick<Resolver, "resolve"> & Partial<Resolver>;
  /** Undefined if this process accepts no connections. */
  readonly own?: OwnPolicy;
}): Egress {
  const refusalOf = memoize((address) => {
    const parsed = ipaddr.parse(address);
    // guard: link-local and metadata addresses
    if (isForbidden(parsed)) return "link-local and cloud metadata addresses are never contacted";
    // guard: private addresses
    if (mode === "public" && !isGlobal(parsed))
      return "only public addresses are contacted from here";
    return undefined;
  });
  return {
    async resolve(host, options) {
      const name = parseHost(host);
      if (name === undefined) throw new DnsFailure(`No DNS resolution for ${host}`);
      const addresses = isIP(name) === 0 ? await resolver.resolve(name, options) : [name];
      for (const address of /* guard: all addresses of a name = it.slice(0, 1) */ addresses) {
        const refusal = refusalOf(address);
        if (refusal !== undefined) throw new Blocked(`${refusal}: ${JSON.stringify(host)}`);
      }
      const { port, path } = options;
      const leadsBack = addresses.some(
        (address) => port !== undefined && own?.listener.isAt(address, port),
      );
      // guard: names of this installation = else
      const refusal = leadsBack ? own?.refusal(path) : undefined;
      if (refusal !== undefined) throw new Blocked(`${refusal}: ${JSON.stringify(host)}`);
      const [address = ""] = addresses;
      const family = isIP(address) === 4 ? 4 : 6;
      if (address === "" || family !== (options.family ?? family))
        throw new DnsFailure(`No addresses found for ${host}`);
      return { address, family };
    },
    isPublic: memoize(isPublicAddress),
    resolverWorks: resolver.works,
    isResolverLost: resolver.isLost,
  };
}
