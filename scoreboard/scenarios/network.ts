import type { Failure, Scenario, Service } from "../scenario.ts";
import { PAGE } from "./web.ts";

interface Row {
  readonly name: string;
  readonly breaks: string;
  readonly service: Service;
  readonly probe: Scenario["probe"];
  readonly failure: Failure;
  readonly words: RegExp;
  readonly expects?: Scenario["expects"];
  readonly needsLocations?: boolean;
}

const slow =
  /time(d)? ?-?out|deadline|no (response|answer|reply)|exceeded|unreachable|did not answer/i;
const tcp: Scenario["probe"] = ({ address }) => ({ kind: "tcp", host: address, port: 7000 });
const mail: Scenario["probe"] = ({ address }) => ({ kind: "smtp", host: address, port: 25 });
const family =
  (wanted: 4 | 6): Scenario["probe"] =>
  ({ name }) => ({ kind: "http", url: `http://${name}/`, family: wanted });

const rows: readonly Row[] = [
  {
    name: "ping-down",
    breaks: "A host answers no ping.",
    service: "tcp",
    probe: ({ address }) => ({ kind: "ping", host: address }),
    failure: { kind: "packets", how: "unpinged" },
    words: /time(d)? ?-?out|no (response|answer|reply)|100 ?%|loss|unreachable|failed/i,
  },
  {
    name: "loss-100",
    breaks: "A host loses every packet.",
    service: "tcp",
    probe: ({ address }) => ({ kind: "ping", host: address }),
    failure: { kind: "packets", how: "dropped" },
    words: /time(d)? ?-?out|no (response|answer|reply)|100 ?%|loss|unreachable|failed/i,
  },
  {
    name: "port-refused",
    breaks: "Nothing listens on a port.",
    service: "tcp",
    probe: tcp,
    failure: { kind: "packets", how: "refused" },
    words: /refused/i,
  },
  {
    name: "port-dropped",
    breaks: "No packet reaches a port.",
    service: "tcp",
    probe: tcp,
    failure: { kind: "packets", how: "dropped" },
    words: slow,
  },
  {
    name: "ipv4-dead",
    breaks: "A site that is checked by IPv4 is reached by IPv6 only.",
    service: "http",
    probe: family(4),
    failure: { kind: "packets", how: "dropped" },
    words: slow,
  },
  {
    name: "ipv6-dead",
    breaks: "A site that is checked by IPv6 is reached by IPv4 only.",
    service: "http",
    probe: family(6),
    failure: { kind: "packets", how: "dropped6" },
    words: slow,
  },
  {
    name: "ipv6-dead-beside",
    breaks: "A site that is checked by IPv4 is no longer reached by IPv6.",
    service: "http",
    probe: family(4),
    failure: { kind: "packets", how: "dropped6" },
    words: /./,
    expects: "never",
  },
  {
    name: "one-location",
    breaks: "One of the monitor's locations does not reach a site, and the others do.",
    service: "http",
    probe: ({ name }) => ({ kind: "http", url: `http://${name}/` }),
    failure: { kind: "packets", how: "one-location" },
    words: /./,
    expects: "never",
    needsLocations: true,
  },
  {
    name: "mail-refused",
    breaks: "Nothing listens on the port of a mail server.",
    service: "smtp",
    probe: mail,
    failure: { kind: "packets", how: "refused" },
    words: /refused/i,
  },
  {
    name: "mail-greets-4xx",
    breaks: "A mail server greets with 421.",
    service: "smtp",
    probe: mail,
    failure: { kind: "mail", how: "greets-4xx" },
    words: /421|greet|unexpected|try again|invalid/i,
  },
  {
    name: "mail-hangs",
    breaks: "A mail server accepts connections, and never greets.",
    service: "smtp",
    probe: mail,
    failure: { kind: "mail", how: "hang" },
    words: slow,
  },
];

/** Packets that do not arrive, and mail servers. */
export const networkScenarios: readonly Scenario[] = rows.map(
  ({ expects = "must", words, ...row }) => ({
    ...row,
    words: expects === "must" ? [words] : [],
    expects,
    pattern: { kind: "outage" },
  }),
);

const steady = {
  breaks: "Nothing fails.",
  pattern: { kind: "steady" },
  expects: "never",
  words: [],
} as const;

/** Targets that are well all the time. */
export const controls: readonly Scenario[] = [
  ...[1, 2, 3].map((number): Scenario => ({
    ...steady,
    name: `well-web-${number}`,
    service: "http",
    probe: ({ name }) => ({ kind: "http", url: `http://${name}/` }),
  })),
  {
    ...steady,
    name: "well-text",
    service: "http",
    probe: ({ name }) => ({ kind: "http", url: `http://${name}/`, contains: PAGE.slice(16, 30) }),
  },
  {
    ...steady,
    name: "well-tls",
    service: "https",
    probe: ({ name }) => ({ kind: "http", url: `https://${name}/`, verifyTls: true }),
  },
  { ...steady, name: "well-port", service: "tcp", probe: tcp },
  {
    ...steady,
    name: "well-ping",
    service: "tcp",
    probe: ({ address }) => ({ kind: "ping", host: address }),
  },
  {
    ...steady,
    name: "well-dns",
    service: "dns",
    probe: ({ name, address }) => ({
      kind: "dns",
      server: address,
      port: 53,
      name,
      record: "A",
      expects: address,
    }),
  },
  { ...steady, name: "well-mail", service: "smtp", probe: mail },
  {
    ...steady,
    name: "well-certificate",
    service: "https",
    probe: ({ name }) => ({ kind: "tls", host: name, port: 443, warnDays: 14 }),
  },
];
