import { createSocket } from "node:dgram";
import { once } from "node:events";

import { codeOf } from "../errors.ts";

/** Of the block for documentation (RFC 5737), to which nothing but the default route leads. */
const ANYWHERE = "192.0.2.1";
const ANY_PORT = 9;
/** How long a default route is taken for granted. */
const REMEMBERED_MS = 10_000;

/** Whether this machine knows a way to an IPv4 address. */
export type HasRoute = (address: string) => Promise<boolean>;

/** Looks for the default route first, of which most machines have one, and only now and then. */
export function createRouteLookup(monotonic: () => number, look: HasRoute = hasRoute): HasRoute {
  let hasDefault: Promise<boolean> | undefined;
  let until = -Infinity;
  return async (address) => {
    if (hasDefault === undefined || monotonic() >= until) {
      hasDefault = look(ANYWHERE);
      until = monotonic() + REMEMBERED_MS;
    }
    return (await hasDefault) || look(address);
  };
}

/** What the system says where it knows none. */
const NO_ROUTE: ReadonlySet<string> = new Set(["ENETUNREACH", "EHOSTUNREACH"]);

/** To connect a socket for datagrams looks up the route, and sends nothing. Trouble of another kind, such as a lack of sockets, says nothing of routes. */
async function hasRoute(address: string): Promise<boolean> {
  const socket = createSocket({
    type: "udp4",
    lookup: (own, _, callback) => callback(null, own, 4),
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
