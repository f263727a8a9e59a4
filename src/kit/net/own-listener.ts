import { readFileSync, readlinkSync } from "node:fs";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";

import ipaddr from "ipaddr.js";

import { embeddedIpv4, type IpAddress } from "./embedded-ipv4.ts";
import { parseHost } from "./host.ts";

/** The port at which this process accepts connections, 0 before it does: one number that all its threads see. */
export type OwnPort = Int32Array<SharedArrayBuffer>;

/** Address at which a process of the installation accepts connections. */
export interface ListeningPlace {
  readonly port: number;
  /** At these addresses, and at those of the loopback within its network. */
  readonly addresses: readonly string[];
  /** No other machine's, and no other container's. */
  readonly network: string;
}

/** Addresses at which this process and the others of its installation accept connections. */
export interface OwnListener {
  readonly port: OwnPort;
  /** It accepts them at this port from now on. */
  readonly listensAt: (port: number) => void;
  /** Undefined before it does. */
  readonly place: () => ListeningPlace | undefined;
  /** The others do there from now on. */
  readonly othersListenAt: (places: readonly ListeningPlace[]) => void;
  /** Whether a connection to that address and port leads to one of them, however the address is written. */
  readonly isAt: (address: string, port: number) => boolean;
}

export function createOwnListener(
  ownPort: OwnPort = new Int32Array(new SharedArrayBuffer(4)),
  machineAddresses: () => readonly string[] = interfaceAddresses,
  network = networkOfProcess(),
): OwnListener {
  let others: readonly ListeningPlace[] = [];
  const place = (): ListeningPlace | undefined => {
    const port = Atomics.load(ownPort, 0);
    return port === 0 ? undefined : { port, addresses: machineAddresses(), network };
  };
  return {
    port: ownPort,
    listensAt: (port) => void Atomics.store(ownPort, 0, port),
    place,
    othersListenAt: (places) => void (others = places),
    isAt(address, port) {
      const own = port !== 0 && port === Atomics.load(ownPort, 0) ? place() : undefined;
      return [
        ...(own === undefined ? [] : [own]),
        /* guard: other processes of this installation */ ...others,
      ].some((each) => each.port === port && leadsTo(each, address, network));
    },
  };
}

/** Returns whether that address, dialled within a network, is of a place. */
function leadsTo(place: ListeningPlace, address: string, network: string): boolean {
  const dialled = ipaddr.parse(address);
  // `::` and `::1` are within the IPv4-compatible range.
  const plain = isLocal(dialled) ? dialled : (embeddedIpv4(dialled)?.address ?? dialled);
  if (isLocal(plain)) return place.network === network;
  return place.addresses.some((own) => ipaddr.parse(own).toString() === plain.toString());
}

/** Identifies the machine since its start and the container, because each has its own loopback. */
function networkOfProcess(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/net")}`;
  } catch {
    // Not Linux.
    return hostname();
  }
}

/** The addresses of a host that is an address, or a name of this machine that needs no look-up. */
export function ownAddressesOf(host: string): readonly string[] {
  const name = parseHost(host)?.replace(/\.$/, "") ?? "";
  if (isIP(name) !== 0) return [name];
  const isOwn = /(?:^|\.)localhost$/.test(name) || name === hostname().toLowerCase();
  return isOwn ? ["127.0.0.1"] : [];
}

/** Loopback, and the unspecified address, which connects to this machine as well. */
function isLocal(address: IpAddress): boolean {
  return address.range() === "loopback" || address.range() === "unspecified";
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => address),
  );
}
