import type { IncomingMessage } from "node:http";

import proxyAddr from "@fastify/proxy-addr";
import ipaddr from "ipaddr.js";

/** Who a request or connection comes from, for all that is counted by client address. */
export interface ClientAddresses {
  /** The key under which connections from an address are counted: one for all of trusted proxies, for they connect for many. */
  readonly peerOf: (address: string) => string;
  /** The key under which the client of a request is counted. */
  readonly clientOf: (request: IncomingMessage) => string;
}

export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const trusts = trustedProxies.length === 0 ? () => false : proxyAddr.compile([...trustedProxies]);
  return {
    peerOf: (address) => (trusts(address, 0) ? PROXY : clientKey(address)),
    clientOf(request) {
      const peer = request.socket.remoteAddress ?? "";
      return clientKey(trusts(peer, 0) ? proxyAddr(request, trusts) : peer);
    },
  };
}

export const PROXY = "a trusted proxy";

/** The IPv6 prefix that one customer of a provider commonly has: its addresses are counted together. */
const CUSTOMER_PREFIX_BITS = 64;

/** The key under which an address is counted. */
export function clientKey(address: string): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${CUSTOMER_PREFIX_BITS}`).toString()
    : parsed.toString();
}
