import { addressesOf, networksFrom, scaled, type Attack } from "./attack.ts";
import type { RawRequest } from "./attacking/floods.ts";
import { stealMailbox } from "./mailbox-thief.ts";

const FORM = "Content-Type: application/x-www-form-urlencoded";
const JSON_BODY = "Content-Type: application/json";
/** The longest bodies that the API and the intake of heartbeats take. */
const API_BODY = 1_048_576;
const HEARTBEAT_BODY = 262_144;

const repeatedForm = (line: string, bytes: number, text: string): RawRequest => ({
  line,
  headers: [FORM],
  body: { text, times: Math.floor(bytes / text.length) },
});

/** Attacks possible without a token. */
export const strangerAttacks: readonly Attack[] = [
  {
    name: "forms",
    what: "2 requests a second with a form of 1 MiB or 256 KiB without names, to the API and as heartbeats",
    begin: async () => [
      {
        kind: "requests",
        name: "forms",
        sources: addressesOf(10, 8),
        perSecond: 2,
        most: 16,
        requests: [
          repeatedForm("POST /api/1/checks", API_BODY, "a&"),
          repeatedForm("POST /v1", HEARTBEAT_BODY, "a&"),
          repeatedForm("POST /api/1/checks", API_BODY, "a[b]=&"),
          repeatedForm("POST /v1", HEARTBEAT_BODY, "%61&"),
          repeatedForm("PUT /api/1/nothing", API_BODY, "a&"),
        ],
      },
    ],
  },
  {
    name: "one-byte-chunks",
    what: "24 connections with a body of 1.5 MB in chunks of one byte, 600 kB a second each",
    begin: async (attacker) =>
      (["POST /api/1/checks", "POST /v1"] as const).map((line, index) => ({
        kind: "streams" as const,
        name: `chunks to ${line}`,
        sources: addressesOf(11 + index, 12),
        connections: scaled(attacker, 12),
        head: `${line} HTTP/1.1\r\nHost: localhost\r\n${JSON_BODY}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
        text: "1\r\n \r\n",
        bytesPerSecond: 600_000,
        bytes: 9_000_000,
      })),
  },
  {
    name: "half-open",
    what: "3,000 connections of one address and 1,500 of 64 that begin a request and stay, 500 opened a second",
    begin: async (attacker) => [
      {
        kind: "connections",
        name: "half-open from one",
        sources: addressesOf(13, 1),
        connections: scaled(attacker, 3000),
        opensPerSecond: 500,
        head: "GET /api/1/checks HTTP/1.1\r\nHost: localhost\r\n",
      },
      {
        kind: "connections",
        name: "half-open from many",
        sources: addressesOf(14, 64),
        connections: scaled(attacker, 1500),
        opensPerSecond: 100,
        head: "",
      },
    ],
  },
  {
    name: "slow-bodies",
    what: "200 requests whose body comes at a byte a second",
    begin: async (attacker) => [
      {
        kind: "streams",
        name: "slow bodies",
        sources: addressesOf(15, 16),
        connections: scaled(attacker, 200),
        head: `POST /v1?id=a&checktoken=b HTTP/1.1\r\nHost: localhost\r\n${JSON_BODY}\r\nContent-Length: 200000\r\n\r\n`,
        text: "{",
        bytesPerSecond: 1,
        bytes: 200_000,
      },
    ],
  },
  {
    name: "guesses",
    what: "300 requests a second with no token or a wrong one, 300 heartbeats a second to checks that do not exist, 50 a second for pages",
    begin: async () => [
      {
        kind: "requests",
        name: "tokens",
        sources: addressesOf(16, 32),
        perSecond: 300,
        most: 64,
        requests: [
          { line: "GET /api/1/checks" },
          { line: "GET /api/1/checks?token=0123456789abcdef0123456789abcdef" },
          { line: "DELETE /api/1/accounts/1", headers: [`Authorization: Basic ${btoa("guess:")}`] },
          { line: "GET /v1" },
        ],
      },
      {
        kind: "requests",
        name: "unknown heartbeats",
        sources: addressesOf(17, 32),
        perSecond: 300,
        most: 64,
        requests: [
          { line: "POST /v1?id=nobody-0000&checktoken=guess" },
          { line: "POST /v1?id=nobody-0001&checktoken=guess", body: { text: "{}", times: 1 } },
        ],
      },
      {
        kind: "requests",
        name: "pages",
        sources: addressesOf(18, 16),
        perSecond: 50,
        most: 32,
        requests: [
          { line: "GET /" },
          { line: "GET /docs" },
          { line: "GET /api/1/openapi.json" },
          { line: "GET /readyz" },
        ],
      },
    ],
  },
  {
    name: "sign-ins",
    what: "10 attempts a second to sign in, of 256 networks and with 256 mailboxes, each far below its limits",
    begin: async () => [
      {
        kind: "requests",
        name: "sign-ins",
        sources: networksFrom(80, 256),
        perSecond: 10,
        most: 256,
        requests: Array.from({ length: 256 }, (_, index) => ({
          line: "POST /api/1/signin",
          headers: [FORM, "Sec-Fetch-Site: same-origin"],
          body: { text: `email=m${index}@example.net&password=guess`, times: 1 },
        })),
      },
    ],
  },
  {
    name: "mailbox",
    what: "somebody who reads the mailbox of a person with a second factor chooses a password by links, five wrong proofs each",
    begin: async () => [],
    intrude: stealMailbox,
  },
  {
    name: "pipelining",
    what: "four connections with a thousand requests a second each, whose answers nobody waits for",
    begin: async (attacker) => [
      {
        kind: "streams",
        name: "pipelining",
        sources: addressesOf(19, 4),
        connections: scaled(attacker, 4),
        head: "",
        text: "GET /api/1/checks HTTP/1.1\r\nHost: localhost\r\n\r\n",
        bytesPerSecond: 48_000,
        bytes: 4_800_000,
      },
    ],
  },
];
