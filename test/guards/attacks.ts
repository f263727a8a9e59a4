import type { Attack } from "./guard.ts";

/** In the order of their numbers, from 1. */
export const attacks: readonly Attack[] = [
  {
    attack:
      "A target, redirect, webhook or diagnostic leads to private networks, this machine, or the metadata service of a cloud",
    required:
      "One policy decides about every address that is dialled, and about what look-ups tell. Link-local and metadata addresses are always refused, private ones with `WATCHPOST_EGRESS=public`; a refusal is `blocked`, never a failure of the target",
    guards: [
      "private addresses",
      "link-local and metadata addresses",
      "egress of checks",
      "egress of redirects",
      "egress of webhooks",
      "egress of pings",
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
        file: "test/hostile-targets.test.ts",
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
        file: "src/scheduler/neighbours.test.ts",
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
      "circles of dependencies",
      "authentication before bodies",
      "bodies of strangers",
      "connections accepted in a turn",
      "strangers under pressure",
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
      "addresses that proxies tell",
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
      "Every query names the account; what is not yours reads as if it did not exist. Every operation says what it needs of a role or token",
    guards: [
      "accounts of others",
      "what a caller may do",
      "records of others",
      "members of others",
      "recipients of others",
      "alerts within the account",
    ],
    tests: [
      {
        file: "test/isolation.test.ts",
        name: "every operation of every resource but accounts is held to the rule, and a write without an example is found",
      },
    ],
  },
  {
    attack: "Fields that only the service sets: state, ids, owner, the status of an address",
    required: "What is not a parameter of the operation is ignored",
    guards: ["ids that the service makes", "status of addresses", "deletion of one's own account"],
  },
  {
    attack: "Credentials of checks and receivers, read from the disk, results, evidence or alerts",
    required:
      "Encrypted at rest, shown to who may change the account alone, hidden everywhere else; metrics are for this machine or a token",
    guards: [
      "checks at rest",
      "addresses at rest",
      "credentials of checks",
      "targets without credentials",
      "targets without queries",
      "the data folder",
      "files of the data folder",
      "files that are made",
      "files of other users",
      "links in the data folder",
      "names that are made to lead to this machine",
      "secrets in evidence",
      "secrets in the log",
      "credentials stay within their origin",
      "the instance key's file",
      "metrics for this machine alone",
      "metrics through a proxy",
    ],
  },
  {
    attack:
      "Markup, mentions, line breaks, and invisible or reversing characters in labels, messages and certificates",
    required: "Every channel shows them as text, in lines of bounded length",
    guards: [
      "Markdown of strangers",
      "code spans",
      "tags and mentions",
      "invisible characters and directions",
      "directions of text on pages",
      "line breaks",
      "HTML of strangers",
    ],
  },
  {
    attack: "Further headers or recipients of a mail, costly texts, XML in calls",
    required:
      "One mailbox for each address, headers of one line, the alphabet of telephones, escaped XML",
    guards: [
      "one mailbox",
      "links in welcomes",
      "length of welcomes",
      "encoded words in subjects",
      "senders of the operator's domains",
      "the alphabet of telephones",
      "XML of calls",
    ],
  },
  {
    attack: "Formulas in exports for spreadsheets",
    required: "There is no such export: the API and the command line write JSON",
    guards: [],
    tests: [
      { file: "test/guards/absent.test.ts", name: "the API answers with JSON and nothing else" },
    ],
  },
  {
    attack: "A template in a notification that reads files or runs code",
    required:
      "Templates have a fixed list of variables and conditions, no expressions, and are read once; nothing evaluates text as a program",
    guards: [
      "templates are read once",
      "length of what is filled in",
      "JSON of webhooks",
      "headers of webhooks",
      "hosts of webhooks",
    ],
    tests: [
      {
        file: "test/guards/absent.test.ts",
        name: "no text is run as a program, and no program is started by a shell",
      },
    ],
  },
  {
    attack:
      "A webhook or a check that calls this installation, or thousands of checks that alert one host",
    required:
      "No alert comes back to a process of the installation, under whatever name, and no check gives it commands; few messages go to one destination at a time",
    guards: [
      "webhooks never lead to this installation",
      "places of a destination",
      "places of an account",
      "finding due alerts by an index",
      "mails to a mailbox",
      "mails of an account",
      "tests to a mailbox",
      "mails of alerts to a mailbox",
      "confirmed mailboxes",
      "confirmation of a changed mailbox",
      "passwords to confirmed mailboxes",
      "tests to confirmed mailboxes",
      "rate of tests",
      "spellings of this installation",
      "other processes of this installation",
      "names of this installation",
      "commands of this installation",
    ],
  },
  {
    attack:
      "Checks as a scanner: port sweeps, reflected DNS queries, mail servers asked for recipients",
    required:
      "Runs have bounds by account and by host, at once and in a minute, and so have the lists that one run asks",
    guards: ["runs at a host", "rate of runs at a host", "budget of checks that ask others"],
    tests: [
      {
        file: "src/checks/dns/rbl.test.ts",
        name: "no more than 32 lists are asked at once, and all in the end",
      },
      {
        file: "src/checks/dns/rbl.test.ts",
        name: "no more than eight addresses of a name are looked up",
      },
    ],
  },
  {
    attack: "Characters of the shell, or a leading `-`, in targets that programs are started with",
    required: "Programs get an address that was resolved, after `--`, and never a shell",
    guards: ["arguments of ping", "arguments of mtr", "arguments of traceroute"],
    tests: [
      {
        file: "test/guards/absent.test.ts",
        name: "no text is run as a program, and no program is started by a shell",
      },
    ],
  },
  {
    attack: "Floods of heartbeats, huge ones, and ones with very many metrics",
    required: "Bounds on size and keys, five a minute for each check, one commit for many",
    guards: [
      "size of heartbeats",
      "keys of heartbeats",
      "rate of heartbeats",
      "rate of heartbeats over changes",
      "heartbeats of a client",
    ],
    tests: [
      {
        file: "src/store/sqlite/group-commit.test.ts",
        name: "units that wait at the same time share one commit",
      },
    ],
  },
  {
    attack: "A probe elsewhere that forges, repeats or delays results",
    required:
      "A key for each location; permissions of the NATS server for each; jobs and replies that are sealed for one request; what comes after the deadline enters no verdict; a controller that was taken over from stores nothing",
    guards: [
      "subjects that a location publishes",
      "subjects that a location hears",
      "keys of locations",
      "what a message was sealed for",
      "the fence of a controller",
    ],
    tests: [
      {
        file: "src/bus/nats/nats-bus.test.ts",
        name: "a probe with another key can neither read its jobs nor answer them, and says so",
      },
    ],
  },
  {
    attack: "`kill -9`, a full, hanging or failing disk, a second process on the same data",
    required:
      "What was acknowledged is kept; while nothing can be stored heartbeats get 503 and committed alerts still go out",
    guards: [
      "a sync before the answer",
      "no writes after a lost sync",
      "a full disk refuses the batch",
      "a savepoint of each unit",
      "one process on a data folder",
    ],
    tests: [
      {
        file: "test/e2e/push.test.ts",
        name: "kill -9 at any moment loses no acknowledged heartbeat",
      },
      {
        file: "test/e2e/disk.test.ts",
        name: "a full disk refuses what is to be stored, and nothing that was acknowledged is lost, also to a kill",
      },
    ],
  },
  {
    attack: "A clock that is set, daylight saving, leap days, odd offsets",
    required:
      "Waits go by the monotonic clock, a step moves what is due, and no result of the future counts",
    guards: ["a clock that was set", "time that was not heard", "results of the future"],
    tests: [
      { file: "src/domain/schedule.test.ts", name: "a leap day is a day like any other" },
      {
        file: "test/e2e/time.test.ts",
        name: "a clock that is set ahead fails nobody, and silence is seen in time",
      },
    ],
  },
  {
    attack: "Scripts in what pages show; pages in frames of others",
    required:
      "Pages load scripts and styles of this server alone, in no frame. There are no badges, feeds or status pages",
    guards: ["scripts of this server alone", "frames"],
    tests: [
      { file: "test/guards/absent.test.ts", name: "pages are HTML, scripts and styles alone" },
      {
        file: "test/guards/absent.test.ts",
        name: "no script of a page makes markup of text",
      },
    ],
  },
  {
    attack: "The first start, passwords and links in mails, used by somebody else",
    required:
      "The first account is made once and its token shown once; passwords are hashed and reset at most once a minute; attempts to sign in are limited, and say and cost the same whether or not there is such a contact; sessions end with the password; links are signed, and change nothing when they are only followed",
    guards: [
      "one first account",
      "passwords as hashes",
      "time between passwords",
      "proof of an unsubscription",
      "unsubscription by POST alone",
      "confirmation by POST alone",
      "acknowledgement by POST alone",
      "proof of an acknowledgement",
      "keys of links",
      "end of a link",
      "end of tokens",
      "rate of tokens",
      "a Host in every request",
      "one Host in every request",
      "attempts to sign in",
      "cost of unknown mailboxes",
      "sessions and passwords",
      "sessions without use",
      "links to sign in",
      "password hashing by account",
      "password hashing",
    ],
  },
  {
    attack: "A dependency that is changed, or runs a program when it is installed",
    required:
      "Few dependencies, each with its hash and from one registry, installed without their scripts; the runtime is verified at a start",
    guards: ["the recorded runtime"],
    tests: [
      {
        file: "test/install.test.ts",
        name: "a runtime that is not the recorded one is refused",
      },
      {
        file: "test/guards/absent.test.ts",
        name: "every package is of one registry and has its hash, and none runs a script",
      },
    ],
  },
];
