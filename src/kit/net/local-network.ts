import { existsSync, readdirSync, readFileSync } from "node:fs";
import { endianness, networkInterfaces } from "node:os";

import ipaddr from "ipaddr.js";

import type { Clock } from "../clock.ts";
import { anywhere, hasRoute, type HasRoute } from "./route.ts";

/**
 * Why this machine cannot reach a public or a private address, or anything at all where none is given, or could not for a moment
 * since the note; undefined where it has a way there.
 */
export type FindLocalNetworkProblem = (
  address: string | undefined,
  side?: "public" | "private",
  noted?: CarrierNote,
) => Promise<string | undefined>;

/** The carrier changes of each link of this machine at some time. */
export type CarrierNote = ReadonlyMap<string, string>;

interface Route {
  readonly network: readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];
  readonly link: string;
}

/** Routes and links as reported by the system. */
export interface OwnNetwork {
  readonly hasRoute: HasRoute;
  readonly routes: () => readonly Route[];
  readonly links: () => readonly string[];
  readonly hasCarrier: (link: string) => boolean;
  /** Another text after each loss and each return of the carrier, and for a new link of the same name; empty where that is not known. */
  readonly carrierChanges: (link: string) => string;
  readonly isBridge: (link: string) => boolean;
}

/** Reads the routes and the state of the links of this machine. Nothing is sent. */
export function createFindLocalNetworkProblem(
  network: OwnNetwork = ownNetwork,
): FindLocalNetworkProblem {
  const troubleTo = async (
    address: string,
    side: "public" | "private",
    noted: CarrierNote | undefined,
  ): Promise<string | undefined> => {
    // The targets behind a bridge are machines of this host: without them it has no carrier.
    const mayBeDown = (link: string): boolean => side === "public" || !network.isBridge(link);
    if (!(await network.hasRoute(address)))
      return address === anywhere[4] || address === anywhere[6]
        ? "this machine has no default route"
        : `this machine has no route to ${address}`;
    const links = linksTo(address, network.routes());
    if (links.length > 0 && links.every((link) => mayBeDown(link) && !network.hasCarrier(link)))
      return `the link ${links.join(", ")} of this machine is down`;
    if (noted === undefined) return undefined;
    const changed = links.filter(
      (link) => mayBeDown(link) && network.carrierChanges(link) !== (noted.get(link) ?? ""),
    );
    return changed.length === 0
      ? undefined
      : `the link ${changed.join(", ")} of this machine was down meanwhile`;
  };
  return async (address, side = "public", noted) => {
    if (address !== undefined) return troubleTo(address, side, noted);
    const [ipv4, ipv6] = await Promise.all([
      troubleTo(anywhere[4], "public", noted),
      troubleTo(anywhere[6], "public", noted),
    ]);
    return ipv6 === undefined ? undefined : ipv4;
  };
}

/** How long a note serves the runs that start after it. */
const NOTED_FOR_MS = 1000;

/** Notes the carrier changes of all links, at most once a second: a note may be that old. */
export function createCarrierNotes(
  clock: Pick<Clock, "monotonic">,
  network: Pick<OwnNetwork, "links" | "carrierChanges"> = ownNetwork,
): () => CarrierNote {
  let note: CarrierNote = new Map();
  let until = -Infinity;
  return () => {
    const now = clock.monotonic();
    if (now >= until) {
      note = new Map(network.links().map((link) => [link, network.carrierChanges(link)]));
      until = now + NOTED_FOR_MS;
    }
    return note;
  };
}

/** Returns the links of the most specific routes to an address; empty if the system's routes are unknown. */
function linksTo(address: string, routes: readonly Route[]): readonly string[] {
  const best = routesTo(address, routes);
  return [...new Set(best.map(({ link }) => link))];
}

/** The most specific routes to an address. */
function routesTo(address: string, routes: readonly Route[]): readonly Route[] {
  const parsed = ipaddr.process(address);
  const leading = routes.filter(
    ({ network: [network, bits] }) =>
      network.kind() === parsed.kind() && parsed.match(network, bits),
  );
  const longest = Math.max(...leading.map(({ network: [, bits] }) => bits));
  return leading.filter(({ network: [, bits] }) => bits === longest);
}

const ownNetwork: OwnNetwork = {
  hasRoute,
  routes: () => [
    ...parseIpv4Routes(textOf("/proc/net/route")),
    ...parseIpv6Routes(textOf("/proc/net/ipv6_route")),
  ],
  links: () => {
    try {
      return readdirSync("/sys/class/net");
    } catch {
      return [];
    }
  },
  // An interface without a carrier is not listed, and neither is one without an address, which may have a carrier.
  hasCarrier: (link) =>
    networkInterfaces()[link] !== undefined || textOf(`/sys/class/net/${link}/carrier`) === "1\n",
  // Neither file costs a lock, as that of the carrier does.
  carrierChanges: (link) =>
    ["carrier_changes", "ifindex"].map((file) => textOf(`/sys/class/net/${link}/${file}`)).join(""),
  isBridge: (link) => existsSync(`/sys/class/net/${link}/bridge`),
};

/** Flags of a route that is up, and of one that discards what is sent (linux/route.h). */
const UP = 0x0001;
const REJECT = 0x0200;

/** The lines of /proc/net/route, whose addresses are hexadecimal numbers of the machine's own byte order. */
export function parseIpv4Routes(text: string, order: string = endianness()): readonly Route[] {
  const addressIn = (hex: string): ipaddr.IPv4 => {
    const bytes = [...Buffer.from(hex, "hex")];
    return new ipaddr.IPv4(order === "LE" ? bytes.toReversed() : bytes);
  };
  return fieldsOf(text).flatMap(([link = "", destination = "", , flags = "", , , , mask = ""]) => {
    const bits = isHex(mask, 8) ? addressIn(mask).prefixLengthFromSubnetMask() : null;
    if (bits === null || !isHex(destination, 8) || !isUsed(flags)) return [];
    return {
      network: [addressIn(destination), bits],
      link,
    };
  });
}

/** The lines of /proc/net/ipv6_route. */
export function parseIpv6Routes(text: string): readonly Route[] {
  return fieldsOf(text).flatMap(
    ([destination = "", bits = "", , , , , , , flags = "", link = ""]) => {
      if (!isHex(destination, 32) || !isUsed(flags)) return [];
      return {
        network: [ipaddr.fromByteArray([...Buffer.from(destination, "hex")]), parseInt(bits, 16)],
        link,
      };
    },
  );
}

function fieldsOf(text: string): readonly (readonly string[])[] {
  return text.split("\n").map((line) => line.trim().split(/\s+/));
}

function isHex(text: string, digits: number): boolean {
  return text.length === digits && /^[0-9a-f]+$/i.test(text);
}

function isUsed(flags: string): boolean {
  const bits = parseInt(flags, 16);
  return (bits & UP) !== 0 && (bits & REJECT) === 0;
}

/** Empty if the file does not exist, as on systems other than Linux. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
