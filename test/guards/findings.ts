import type { TestReference } from "./guard.ts";

/** A hole that was found by trying, and what closes it now. */
export interface Finding {
  readonly found: string;
  /** Names of guards, each with the test that fails without it. */
  readonly guards: readonly string[];
  /** Tests of what no single guard holds. */
  readonly tests?: readonly TestReference[];
}

/** Findings by number. */
export const findings: Readonly<Record<string, Finding>> = {
  B1: {
    found:
      "A form of very many names took seconds of the main thread, before anybody asked whose it was",
    guards: [
      "authentication before bodies",
      "parameters of forms",
      "tokens that do not exist",
      "bodies of strangers",
      "heartbeats of a client",
      "rate of client addresses",
    ],
    tests: [
      {
        file: "test/e2e/request-cost.long.test.ts",
        name: "no request costs the main thread more than 50 ms, whatever its shape",
      },
    ],
  },
  B2: {
    found: "Bodies in chunks of one byte took a hundred times their size in memory",
    guards: [
      "pieces of bodies",
      "turns of parsing",
      "bodies that nobody reads",
      "memory of what is not parsed",
      "memory of bodies",
      "memory of a client's bodies",
      "chunks of bodies",
      "fragments of WebSocket messages",
      "pings of WebSockets",
    ],
    tests: [
      {
        file: "src/kit/http/read-body.test.ts",
        name: "takes memory by what has arrived, however small the chunks and however large the announcement",
      },
    ],
  },
  B3: {
    found: "The `fields` of one check took seconds of the main thread",
    guards: ["lookups of metrics", "keys of heartbeats", "keys of JSON"],
  },
  B4: {
    found: "Very long text reached regular expressions: a `timezone` of blanks took seconds",
    guards: ["size of parameters", "length of time zones"],
    tests: [
      {
        file: "test/bounded-parameters.test.ts",
        name: "every parameter has a largest size: of text, of a list, of an object",
      },
    ],
  },
  B5: {
    found: "Checks of one account whose target hangs took all places to run",
    guards: [
      "runs of an account",
      "places apart for runs that hang",
      "runs at a host",
      "rate of runs at a host",
    ],
  },
  B6: {
    found: "Webhooks of one account that hang delayed the alerts of others",
    guards: ["places of a destination", "places of an account"],
  },
  B7: {
    found: "With many alerts that wait, finding what is due took seconds",
    guards: ["finding due alerts by an index"],
  },
  B8: {
    found: "Slow patterns of one account kept those of others from being searched for",
    guards: ["time of a pattern", "time of patterns by account"],
  },
  B9: {
    found: "What an account may keep had no limit, and its changes delayed those of others",
    guards: [
      "records of an account",
      "evidence of an account",
      "commit time of an account",
      "accounts of units",
      "requests of an account in progress",
      "pieces of long responses",
    ],
  },
  B10: {
    found: "Chains of dependencies were unlimited, and followed at each write",
    guards: ["length of chains of dependencies", "cycles of dependencies"],
  },
  B11: {
    found: "A webhook could lead to this installation itself under another spelling",
    guards: [
      "webhooks never lead to this installation",
      "spellings of this installation",
      "other processes of this installation",
      "names of this installation",
      "commands of this installation",
    ],
  },
  B12: {
    found:
      "Anybody's mailbox could be flooded with welcomes, passwords and tests, with text of one's own; passwords were hashed in one queue for all",
    guards: [
      "mails to a mailbox",
      "mails of an account",
      "tests to a mailbox",
      "links in welcomes",
      "length of welcomes",
      "time between passwords",
      "rate of tests",
      "password hashing",
      "slots of a semaphore by key",
    ],
  },
  B13: {
    found: "The program that runs everything had no hash, and a failed installation of it no word",
    guards: ["the recorded runtime"],
    tests: [
      {
        file: "test/install.test.ts",
        name: "a runtime that npm did not download, or refused, is reported in a sentence",
      },
    ],
  },
  B14: {
    found: "Half-open connections were unlimited, and held for minutes",
    guards: [
      "deadline of headers",
      "connections of a client",
      "connections accepted in a turn",
      "connections that wait to be accepted",
      "time that a client waited for us",
      "refusals before a heartbeat is read",
      "connections in all",
      "requests of one connection",
      "descriptors that stay free",
    ],
  },
  B15: {
    found: "With public egress, look-ups disclosed what internal names lead to",
    guards: ["what names lead to"],
  },
  B16: {
    found:
      "Keys in targets, modes of files, metrics, tokens in paths, and characters that turn text on pages were open",
    guards: [
      "checks at rest",
      "targets without queries",
      "the data folder",
      "files of the data folder",
      "files that are made",
      "metrics for this machine alone",
      "tokens in the paths of logs",
      "rate of heartbeats over changes",
      "directions of text on pages",
    ],
  },
};
