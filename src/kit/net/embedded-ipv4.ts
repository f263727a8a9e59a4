import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type IpRange = readonly [network: IpAddress, bits: number];

interface Ipv4Embedding {
  readonly range: IpRange;
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

/** The IPv4 address that an IPv6 address embeds. */
export function embeddedIpv4(
  address: IpAddress,
): { readonly address: ipaddr.IPv4; readonly transparent: boolean } | undefined {
  const embedding = IPV4_EMBEDDINGS.find(
    /* guard: IPv4 addresses in IPv6 = () => false */ ({ range }) => within(address, range),
  );
  if (embedding === undefined) return undefined;
  const { offset, mask = 0, transparent = false } = embedding;
  const bytes = address.toByteArray().slice(offset, offset + 4);
  return { address: new ipaddr.IPv4(bytes.map((byte) => byte ^ mask)), transparent };
}

export function within(address: IpAddress, [network, bits]: IpRange): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
