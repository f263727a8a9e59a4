import type { NameAnswer, SiteAddress, Scenario } from "../scenario.ts";

interface Row {
  readonly answer: NameAnswer;
  readonly what: string;
  readonly words: RegExp;
}

const rows: readonly Row[] = [
  {
    answer: "nxdomain",
    what: "says that the name does not exist",
    words: /NXDOMAIN|not found|does not exist|no address|unknown|ENOTFOUND|not resolve|no such/i,
  },
  { answer: "servfail", what: "answers SERVFAIL", words: /SERVFAIL|server fail|resolv|lookup/i },
  {
    answer: "silence",
    what: "is silent",
    words:
      /time(d)? ?-?out|no (response|answer|reply)|silent|did not answer|resolv|lookup|deadline/i,
  },
  {
    answer: "other",
    what: "gives the address of another server",
    words: /10\.80\.|404|expected|not found|mismatch|answer|found/i,
  },
  {
    answer: "empty",
    what: "answers without an address",
    words:
      /no (address|answer|record|data)|empty|not found|0 answer|ENODATA|expected|resol|no ANSWER/i,
  },
];

const queried = ({ name, address }: SiteAddress): ReturnType<Scenario["probe"]> => ({
  kind: "dns",
  server: address,
  port: 53,
  name,
  record: "A",
  expects: address,
});

/** Name servers that are targets, and names of targets that the resolver no longer finds. */
export const nameScenarios: readonly Scenario[] = [
  ...rows.map(({ answer, what, words }): Scenario => ({
    name: `dns-${answer}`,
    breaks: `A name server ${what}.`,
    service: "dns",
    probe: queried,
    failure: { kind: "answer", answer },
    pattern: { kind: "outage" },
    expects: "must",
    words: [words],
  })),
  {
    name: "dns-refused",
    breaks: "Nothing listens on the port of a name server.",
    service: "dns",
    probe: queried,
    failure: { kind: "packets", how: "refused" },
    pattern: { kind: "outage" },
    expects: "must",
    words: [/refused|unreachable|time(d)? ?-?out|no (response|answer)/i],
  },
  ...rows.map(({ answer, what, words }): Scenario => ({
    name: `name-${answer}`,
    breaks: `The resolver ${what}, about the name of one site only.`,
    service: "http",
    probe: ({ name }) => ({ kind: "http", url: `http://${name}/` }),
    failure: { kind: "name", answer },
    pattern: { kind: "outage" },
    expects: "must",
    words: [words],
  })),
  {
    name: "name-moves",
    breaks: "A site moves: its name has another address, and the old one is dead.",
    service: "http",
    probe: ({ name }) => ({ kind: "http", url: `http://${name}/` }),
    failure: { kind: "name", answer: "moved" },
    pattern: { kind: "outage" },
    expects: "never",
    words: [],
  },
];
