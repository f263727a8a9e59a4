import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

import { Blocked } from "../errors.ts";
import { parseHost } from "./host.ts";
import { DnsFailure } from "./resolver.ts";
import type { ResolveOptions, Resolver } from "./resolver.ts";

export type EgressMode = "private" | "public";

/** Resolves hosts, and decides which addresses may be dialled: by checks, redirects, webhooks and all channels. */
export interface Egress {
  /** The address to dial for a host name or literal. Throws Blocked if the policy refuses it, DnsFailure if there is none. */
  readonly resolve: (host: string, options: ResolveOptions) => Promise<ResolvedAddress>;
  /** True for addresses of the public Internet: not private, loopback, link-local or otherwise special. */
  readonly isPublic: (address: string) => boolean;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Address, bits: number];

/** Link-local ranges, and the metadata addresses of clouds, which give out credentials. */
const FORBIDDEN: readonly Range[] = [
  "169.254.0.0/16", // link-local, with the metadata of AWS, Azure, Google, Oracle, ECS and others
  "fe80::/10", // link-local
  "100.100.100.200/32", // Alibaba
  "192.0.0.192/32", // Oracle classic
  "168.63.129.16/32", // Azure's host agent
  "fd00:ec2::/32", // AWS
  "fd20:ce::/32", // Google
  "fd00:c1::/32", // Oracle
  "fd00:42::/32", // Scaleway
].map((cidr) => ipaddr.parseCIDR(cidr));

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

interface Ipv4Embedding {
  readonly range: Range;
  /** The byte at which the IPv4 address begins. */
  readonly offset: number;
  /** Set if packets always go to that IPv4 address, in every network. */
  readonly transparent?: true;
  /** The bytes are XORed with this. */
  readonly mask?: number;
}

/** IPv6 ranges that embed an IPv4 address. */
const IPV4_EMBEDDINGS: readonly Ipv4Embedding[] = [
  { range: ipaddr.parseCIDR("::ffff:0:0/96"), offset: 12, transparent: true }, // IPv4-mapped, RFC 4291
  { range: ipaddr.parseCIDR("64:ff9b::/96"), offset: 12, transparent: true }, // NAT64, RFC 6052
  { range: ipaddr.parseCIDR("2002::/16"), offset: 2, transparent: true }, // 6to4, RFC 3056
  { range: ipaddr.parseCIDR("64:ff9b:1::/48"), offset: 12 }, // NAT64 of one network, RFC 8215
  { range: ipaddr.parseCIDR("::ffff:0:0:0/96"), offset: 12 }, // IPv4-translated, RFC 2765
  { range: ipaddr.parseCIDR("::/96"), offset: 12 }, // IPv4-compatible, RFC 4291
  { range: ipaddr.parseCIDR("2001::/32"), offset: 12, mask: 0xff }, // Teredo, RFC 4380
];

/** Whether it is of the public Internet. */
export function isPublicAddress(address: string): boolean {
  return isGlobal(ipaddr.parse(address));
}

export function createEgress({
  mode,
  resolver,
}: {
  readonly mode: EgressMode;
  readonly resolver: Resolver;
}): Egress {
  return {
    async resolve(host, options) {
      const name = parseHost(host);
      if (name === undefined) throw new DnsFailure(`No DNS resolution for ${host}`);
      const addresses = isIP(name) === 0 ? await resolver.resolve(name, options) : [name];
      for (const address of addresses) {
        const parsed = ipaddr.parse(address);
        if (isForbidden(parsed))
          throw new Blocked(
            `link-local and cloud metadata addresses are never contacted: ${JSON.stringify(host)}`,
          );
        if (mode === "public" && !isGlobal(parsed))
          throw new Blocked(
            `only public addresses are contacted from here: ${JSON.stringify(host)}`,
          );
      }
      const [address = ""] = addresses;
      const family = isIP(address) === 4 ? 4 : 6;
      if (address === "" || family !== (options.family ?? family))
        throw new DnsFailure(`No addresses found for ${host}`);
      return { address, family };
    },
    isPublic: isPublicAddress,
  };
}

function isForbidden(address: Address): boolean {
  const embedded = embeddedIpv4(address)?.address;
  return FORBIDDEN.some(
    (range) => within(address, range) || (embedded !== undefined && within(embedded, range)),
  );
}

function isGlobal(address: Address): boolean {
  const embedding = embeddedIpv4(address);
  if (embedding !== undefined) return embedding.transparent && isGlobal(embedding.address);
  return (
    !isForbidden(address) &&
    address.range() === "unicast" &&
    (address instanceof ipaddr.IPv4 || within(address, GLOBAL_UNICAST))
  );
}

function embeddedIpv4(
  address: Address,
): { readonly address: ipaddr.IPv4; readonly transparent: boolean } | undefined {
  const embedding = IPV4_EMBEDDINGS.find(({ range }) => within(address, range));
  if (embedding === undefined) return undefined;
  const { offset, mask = 0, transparent = false } = embedding;
  const bytes = address.toByteArray().slice(offset, offset + 4);
  return { address: new ipaddr.IPv4(bytes.map((byte) => byte ^ mask)), transparent };
}

function within(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
