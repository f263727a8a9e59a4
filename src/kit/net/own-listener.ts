import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";

import ipaddr from "ipaddr.js";

import { embeddedIpv4 } from "./embedded-ipv4.ts";
import type { Address } from "./embedded-ipv4.ts";
import { parseHost } from "./host.ts";

/** The port at which this process accepts connections, 0 before it does: one number that all its threads see. */
export type OwnPort = Int32Array<SharedArrayBuffer>;

/** Where this process accepts connections. */
export interface OwnListener {
  readonly port: OwnPort;
  /** It accepts them at this port from now on. */
  readonly listensAt: (port: number) => void;
  /** Whether a connection to that address and port leads to this process, however the address is written. */
  readonly isAt: (address: string, port: number) => boolean;
}

export function createOwnListener(
  ownPort: OwnPort = new Int32Array(new SharedArrayBuffer(4)),
  machineAddresses: () => readonly string[] = interfaceAddresses,
): OwnListener {
  return {
    port: ownPort,
    listensAt: (port) => void Atomics.store(ownPort, 0, port),
    isAt(address, port) {
      if (port === 0 || port !== Atomics.load(ownPort, 0)) return false;
      const dialled = ipaddr.parse(address);
      // `::` and `::1` are within the IPv4-compatible range.
      if (isLocal(dialled)) return true;
      const plain = embeddedIpv4(dialled)?.address ?? dialled;
      return (
        isLocal(plain) ||
        machineAddresses().some((own) => ipaddr.parse(own).toString() === plain.toString())
      );
    },
  };
}

/** The addresses of a host that is an address, or a name of this machine that needs no look-up. */
export function ownAddressesOf(host: string): readonly string[] {
  const name = parseHost(host)?.replace(/\.$/, "") ?? "";
  if (isIP(name) !== 0) return [name];
  const isOwn = /(?:^|\.)localhost$/.test(name) || name === hostname().toLowerCase();
  return isOwn ? ["127.0.0.1"] : [];
}

/** Loopback, and the unspecified address, which connects to this machine as well. */
function isLocal(address: Address): boolean {
  return address.range() === "loopback" || address.range() === "unspecified";
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => address),
  );
}
