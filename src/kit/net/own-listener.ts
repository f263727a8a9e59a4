import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";

import ipaddr from "ipaddr.js";

import { embeddedIpv4 } from "./embedded-ipv4.ts";
import type { Address } from "./embedded-ipv4.ts";
import { parseHost } from "./host.ts";

/** Where this process accepts connections. */
export interface OwnListener {
  /** It accepts them at this port from now on. */
  readonly listensAt: (port: number) => void;
  /** Whether a connection to that address and port leads to this process, however the address is written. */
  readonly isAt: (address: string, port: number) => boolean;
}

export function createOwnListener(
  machineAddresses: () => readonly string[] = interfaceAddresses,
): OwnListener {
  const ports = new Set<number>();
  return {
    listensAt: (port) => void ports.add(port),
    isAt(address, port) {
      if (!ports.has(port)) return false;
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
