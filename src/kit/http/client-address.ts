import type { IncomingMessage } from "node:http";

import proxyAddr from "@fastify/proxy-addr";
import ipaddr from "ipaddr.js";

/** Address of the client of a request or connection, for everything counted by address. */
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
      return clientKey(
        /* guard: addresses that proxies send = proxyAddr(request, () => true) */ trusts(peer, 0)
          ? proxyAddr(request, trusts)
          : peer,
      );
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

/** The networks of a client, from its key: what one provider's customer or one site commonly has, and what one larger holder has. */
export function networksOf(client: string): { readonly site: string; readonly holder: string } {
  const [site, holder] = client.includes(":") ? NETWORK_BITS.ipv6 : NETWORK_BITS.ipv4;
  return { site: networkOf(client, site), holder: networkOf(client, holder) };
}

const NETWORK_BITS = { ipv4: [24, 16], ipv6: [56, 48] } as const;

function networkOf(client: string, bits: number): string {
  if (!ipaddr.isValid(client)) return client;
  const parser = client.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${parser.networkAddressFromCIDR(`${client}/${bits}`).toString()}/${bits}`;
}
