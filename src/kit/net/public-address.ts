import ipaddr from "ipaddr.js";

import { embeddedIpv4, within, type IpAddress, type IpRange } from "./embedded-ipv4.ts";

/** Link-local ranges, and the metadata addresses of clouds, which give out credentials. */
const FORBIDDEN: readonly IpRange[] = [
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

/** Returns whether it is of the public Internet. */
export function isPublicAddress(address: string): boolean {
  return isGlobal(ipaddr.parse(address));
}

/** Returns whether no check and no channel may ever contact it. */
export function isForbidden(address: IpAddress): boolean {
  const embedded = embeddedIpv4(address)?.address;
  return FORBIDDEN.some(
    (range) => within(address, range) || (embedded !== undefined && within(embedded, range)),
  );
}

export function isGlobal(address: IpAddress): boolean {
  const embedding = embeddedIpv4(address);
  if (embedding !== undefined) return embedding.transparent && isGlobal(embedding.address);
  return (
    !isForbidden(address) &&
    address.range() === "unicast" &&
    (address instanceof ipaddr.IPv4 || within(address, GLOBAL_UNICAST))
  );
}
