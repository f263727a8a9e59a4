import { attacksOnService } from "./attacks-on-service.ts";
import type { Attack } from "./guard.ts";

/** In the order of their numbers, from 1. */
export const attacks: readonly Attack[] = [
  {
    attack:
      "A target, redirect, webhook or diagnostic leads to private networks, this machine, or the metadata service of a cloud",
    required:
      "One policy decides about every address that is dialled, and about what look-ups disclose. Link-local and metadata addresses are always refused, private ones with `WATCHPOST_EGRESS=public`; a refusal is `blocked`, never a failure of the target",
    guards: [
      "private addresses",
      "link-local and metadata addresses",
      "egress of connections",
      "egress of diagnostics",
      "what names lead to",
    ],
  },
  {
    attack:
      "The same addresses in other spellings: octal, decimal, IPv4 within IPv6, user info before the host",
    required: "The policy judges the address that is dialled, read by one parser",
    guards: ["IPv4 addresses in IPv6", "hosts in one spelling", "hosts without user info"],
  },
  {
    attack: "A name with a public address that changes to a private one, or has both",
    required:
      "Every address of an answer is judged, the judged one is dialled, and each request asks anew",
    guards: ["all addresses of a name", "the address that was judged is dialled"],
    tests: [
      {
        file: "src/kit/net/egress.test.ts",
        name: "a name is judged anew each time, whatever it led to before",
      },
    ],
  },
  {
    attack: "Another scheme, such as `file:`, or a tunnel (CONNECT) to somewhere else",
    required: "Each type takes its own schemes, and a tunnel is asked for to the target alone",
    guards: ["schemes of requests", "tunnels lead to the target alone"],
  },
  {
    attack:
      "Line breaks in headers and in commands of mail and file protocols; headers that change the framing",
    required: "Refused when a check is written, and again before anything is sent",
    guards: [
      "characters of headers",
      "headers that cannot be set",
      "one command in a line",
      "one line in parameters",
    ],
    tests: [
      {
        file: "src/checks/parameters/parameters.test.ts",
        name: "no text that becomes a part of a command or a header can end its line",
      },
    ],
  },
  {
    attack:
      "Endless or compressed bodies, huge heads, endless redirects, interim answers, lines and conversations",
    required: "Everything that a target sends has a bound, counted after decoding",
    guards: [
      "size of bodies",
      "memory of responses",
      "waits for memory",
      "runs that wait for memory",
      "memory that is left behind",
      "size of heads",
      "interim answers",
      "redirects",
      "length of lines",
      "length of conversations",
      "lines of a conversation",
      "chunks of bodies",
      "fragments of WebSocket messages",
      "size of WebSocket messages",
      "pings of WebSockets",
    ],
    tests: [
      {
        file: "test/hostile-targets.long.test.ts",
        name: "HTTPCONTENT: whatever a target sends, a run ends, takes little memory and holds nothing up",
      },
      {
        file: "src/kit/http/exchange.test.ts",
        name: "an answer with a huge chunk extension is refused",
      },
    ],
  },
  {
    attack: "A target that answers a byte at a time, or never",
    required:
      "Every run ends at its deadline, whatever the target does, and frees what it had; no account has all places",
    guards: [
      "the deadline of a run",
      "the signal of a run",
      "the signal ends an exchange",
      "runs of an account",
      "turns to begin in a probe thread",
      "places apart for runs that hang",
    ],
    tests: [
      {
        file: "src/controller/scheduler/neighbours.test.ts",
        name: "3,600 checks of targets that hang, in 50 subaccounts, delay no check of another account",
      },
    ],
  },
  {
    attack: "A pattern or a text that makes searching take for ever",
    required:
      "Checks and patterns run in threads with bounds, and those that hang are replaced; everything else is linear or has a budget",
    guards: [
      "time of a pattern",
      "linear search of texts",
      "lookups of metrics",
      "threads that hang",
      "time of patterns by account",
      "patterns that took too long",
    ],
    tests: [
      {
        file: "src/kit/patterns/pattern-search.test.ts",
        name: "the main thread goes on while an expression is searched for",
      },
    ],
  },
  {
    attack:
      "Requests that cost much: JSON and forms that are deep, have very many keys, odd numbers, NUL characters or duplicates; very long texts; chains of dependencies; bodies and connections of strangers",
    required:
      "Who it is comes before the body; bounds on size, length, depth, keys, references and connections; a sentence that names the parameter",
    guards: [
      "depth of JSON",
      "keys of JSON",
      "finite numbers",
      "NUL characters",
      "depth of forms",
      "parameters of forms",
      "one value or its parts",
      "size of requests",
      "length of time zones",
      "length of chains of dependencies",
      "cycles of dependencies",
      "authentication before bodies",
      "bodies of strangers",
      "connections accepted in a turn",
      "strangers under pressure",
      "answers under pressure",
      "connections that wait to be accepted",
      "time that a client waited for us",
      "refusals before a heartbeat is read",
      "connections of a client",
      "connections in all",
      "requests of one connection",
      "turns of parsing",
      "bodies that nobody reads",
      "memory of what is not parsed",
      "bytes before a request",
      "responses to refused bodies",
      "bodies after a refusal",
      "memory of bodies",
      "memory of a client's bodies",
      "pieces of bodies",
      "records of an account",
      "evidence of an account",
      "commit time of an account",
      "accounts of units",
      "requests of an account in progress",
      "pieces of long responses",
      "alerts in few statements",
      "pages of checks by size",
      "size of parameters",
      "deadline of headers",
      "descriptors that stay free",
    ],
    tests: [
      { file: "src/api/http/bad-input.test.ts", name: "no input at all makes an internal error" },
    ],
  },
  {
    attack: "Keys such as `__proto__` in JSON, forms, fields and paths of metrics",
    required: "Refused where they are read, and never followed",
    guards: ["keys of prototypes in JSON", "keys of prototypes in forms", "own values of metrics"],
  },
  {
    attack:
      "One parameter in several places of a request; a page that makes a browser call the API",
    required:
      "A documented order of precedence. A session counts in requests of this installation's own pages alone, and changes nothing by GET; a browser keeps no token and no password that it would send by itself",
    guards: [
      "precedence of parameters",
      "no passwords of browsers",
      "sessions by GET",
      "requests of other sites",
      "forms of other sites",
      "attributes of cookies",
    ],
    tests: [{ file: "test/guards/absent.test.ts", name: "a cookie stands for no token" }],
  },
  {
    attack: "A token in a URL that ends in a log, or in a referrer",
    required:
      "No log line and no error has a token, answers ask for no referrer, and the store has digests",
    guards: [
      "tokens in logs",
      "tokens in the paths of logs",
      "referrers",
      "tokens as digests",
      "opaque internal errors",
    ],
  },
  {
    attack: "Guessing tokens and ids, by differences between answers or in their timing",
    required:
      "What is wrong and what does not exist read the same; tokens are compared by digest or in constant time; requests are limited",
    guards: [
      "one answer for a wrong id and a wrong token",
      "check tokens",
      "rate of client addresses",
      "addresses that proxies send",
      "tokens that do not exist",
    ],
    tests: [
      {
        file: "src/kit/crypto/seal.test.ts",
        name: "two secrets are the same only where every byte is",
      },
    ],
  },
  {
    attack: "Ids of another account, as a record, or as a member or recipient of one's own record",
    required:
      "Every query names the account; what is not yours reads as if it did not exist. Every operation says what it needs of a role or token. An address that heartbeats had in another system belongs to each account that adds it, with answers that depend on its own records alone",
    guards: [
      "accounts of others",
      "what a caller may do",
      "records of others",
      "members of others",
      "recipients of others",
      "alerts within the account",
      "removal of one's own old address",
      "old addresses of who came first",
    ],
    tests: [
      {
        file: "test/isolation.long.test.ts",
        name: "every operation of every resource but accounts is held to the rule, and a write without an example is found",
      },
    ],
  },
  {
    attack: "Fields that only the service sets: state, ids, owner, the status of an address",
    required: "What is not a parameter of the operation is ignored",
    guards: ["ids that the service makes", "status of addresses", "deletion of one's own account"],
  },
  ...attacksOnService,
];
