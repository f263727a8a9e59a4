import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

import { codeOf } from "../errors.ts";

/** An address of the blocks for documentation (RFC 5737, RFC 3849), to which nothing but the default route leads. */
export const anywhere = { 4: "192.0.2.1", 6: "2001:db8::1" } as const;
const ANY_PORT = 9;
/** How long a default route is taken for granted. */
const REMEMBERED_MS = 10_000;

/** Whether this machine has a route to an address. */
export type HasRoute = (address: string) => Promise<boolean>;

/** Checks the default route first, which most machines have, and only occasionally. */
export function createRouteLookup(monotonic: () => number, look: HasRoute = hasRoute): HasRoute {
  let hasDefault: Promise<boolean> | undefined;
  let until = -Infinity;
  return async (address) => {
    if (hasDefault === undefined || monotonic() >= until) {
      hasDefault = look(anywhere[4]);
      until = monotonic() + REMEMBERED_MS;
    }
    return (await hasDefault) || look(address);
  };
}

/** Error codes of the system for a missing route. */
const NO_ROUTE: ReadonlySet<string> = new Set([
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENETDOWN",
  // A machine without IPv6.
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
]);

/** Connecting a datagram socket looks up the route and sends nothing. Other errors, such as a lack of sockets, say nothing about routes. */
export async function hasRoute(address: string): Promise<boolean> {
  const family = isIPv6(address) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    lookup: (own, _, callback) => callback(null, own, family),
  });
  try {
    socket.connect(ANY_PORT, address);
    await once(socket, "connect");
    return true;
  } catch (error) {
    return !NO_ROUTE.has(codeOf(error) ?? "");
  } finally {
    socket.close();
  }
}
