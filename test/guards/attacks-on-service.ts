import type { Attack } from "./guard.ts";

/** Attacks on stored and sent data, and on the service itself. */
export const attacksOnService: readonly Attack[] = [
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
      "parameters below edit",
      "targets of results below edit",
      "texts of targets below edit",
      "messages below edit",
      "responses of receivers below edit",
      "responses that repeat a webhook",
      "secrets in the log",
      "credentials stay within their origin",
      "cookies stay with their host",
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
    required:
      "The API and the command line write JSON; tables of public reports have dates, numbers and words of the program alone",
    guards: [],
    tests: [
      {
        file: "src/server/pages/public-reports.test.ts",
        name: "the table of results for a spreadsheet has no cell that could be a formula",
      },
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
      "XML of webhooks",
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
      "Runs have bounds by account and by host, at once and in a minute, and so have the lists that one run asks; control queries and runs of witnesses that failures cause are shared or limited",
    guards: [
      "runs at a host",
      "rate of runs at a host",
      "budget of checks that ask others",
      "control queries that runs share",
      "witnesses that are run once in a second",
    ],
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
      "checks of an old address",
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
      "A key for each location and its region; permissions of the NATS server for each; jobs and replies that are sealed for one request; bounds of every field of a report; what comes after the deadline enters no verdict; a controller that was taken over from stores nothing",
    guards: [
      "subjects that a location publishes",
      "subjects that a location receives",
      "keys of locations",
      "regions of locations",
      "times of reports",
      "texts of reports",
      "what a message was sealed for",
      "the fence of a controller",
    ],
    tests: [
      {
        file: "src/bus/nats/nats-bus.test.ts",
        name: "a probe with the key of another installation gets no job, and ends with a sentence",
      },
    ],
  },
  {
    attack: "A probe elsewhere that sends without end, or as ever more probes",
    required:
      "Each location on a connection of its own, which is closed for a while beyond a rate; few probes of a location; sizes are bounded before anything is read",
    guards: [
      "probes of a location",
      "messages of a location",
      "messages of unknown locations",
      "sizes of beats",
      "versions that probes say",
    ],
  },
  {
    attack: "`kill -9`, a full, hanging or failing disk, a second process on the same data",
    required:
      "What was acknowledged is kept; a full disk silences no alarm while the reserve lasts; while nothing can be stored heartbeats get 503 and committed alerts still go out",
    guards: [
      "a sync before the answer",
      "no writes after a lost sync",
      "files of the database that are gone",
      "a reserve for a full disk",
      "a full disk refuses the batch",
      "a savepoint of each unit",
      "one process on a data folder",
    ],
    tests: [
      {
        file: "test/e2e/reserve.long.test.ts",
        name: "on a full disk an outage is alerted at its usual time from the reserve, which is made again once there is room",
      },
      {
        file: "test/e2e/push.long.test.ts",
        name: "kill -9 at any moment loses no acknowledged heartbeat",
      },
      {
        file: "test/e2e/disk.long.test.ts",
        name: "a full disk without a reserve refuses what is to be stored, and nothing that was acknowledged is lost, also to a kill",
      },
    ],
  },
  {
    attack: "A clock that is set, daylight saving, leap days, odd offsets",
    required:
      "Waits go by the monotonic clock, a step moves what is due, and no result of the future counts",
    guards: [
      "a clock that was set",
      "time in which no heartbeat could be received",
      "results of the future",
    ],
    tests: [
      { file: "src/domain/schedule.test.ts", name: "a leap day is a day like any other" },
      {
        file: "test/e2e/time.long.test.ts",
        name: "a clock that is set ahead fails nobody, and silence is seen in time",
      },
    ],
  },
  {
    attack: "Scripts in what pages show; pages in frames of others",
    required:
      "Pages load scripts and styles of this server alone, in no frame. Badges, feeds and status pages load nothing, run no script, escape what they show, and can be framed where they have no form",
    guards: [
      "scripts of this server alone",
      "frames",
      "markup on public pages",
      "links of public pages",
      "images as logos",
    ],
    tests: [
      { file: "test/guards/absent.test.ts", name: "files of pages are scripts and styles alone" },
      {
        file: "test/guards/absent.test.ts",
        name: "no script of a page makes markup of text",
      },
    ],
  },
  {
    attack:
      "Reports, badges and status pages, asked for what they do not show, by other hosts, or by very many",
    required:
      "Only checks that are public have reports, without their targets; a page shows chosen checks of its own account under chosen names, and no drafts; what is not there is like what never was; a domain shows a page only where the operator allows that; documents are made once for all who ask, a few at a time, and dropped with a change",
    guards: [
      "public checks alone",
      "names in place of targets",
      "checks of the account on its pages",
      "drafts of incidents",
      "rate of public pages",
      "what changed while a page was made",
      "age of what is shown",
      "ids of the page alone",
      "passwords of status pages",
      "attempts at passwords of status pages",
      "people of the account",
      "domains that the operator allows",
    ],
    tests: [
      {
        file: "src/server/pages/status-pages.test.ts",
        name: "a page is shown under its domain, and nothing else is",
      },
      {
        file: "src/server/pages/status-pages.test.ts",
        name: "a page shows the chosen checks under their chosen names, with their states, and nothing else of anybody",
      },
      {
        file: "test/public-pages/hostile-texts.long.test.ts",
        name: "page: no plain text makes an element or an attribute",
      },
    ],
  },
  {
    attack:
      "The form by which people subscribe to a status page, used to write to strangers, to find out who subscribes, or to use up what an account may send",
    required:
      "A mailbox is asked once and shown nothing of the account but the name of the page; only who posts to the link that was sent there is subscribed; the answer is the same for all; clients and accounts may ask so many, apart from passwords; only owners are shown who subscribes",
    guards: [
      "proof of a subscriber's link",
      "subscription by POST alone",
      "one request to a mailbox",
      "rate of subscriptions",
      "budget of requests to strangers",
      "shares of requests to strangers",
      "names of pages to strangers",
      "addresses of subscribers",
    ],
    tests: [
      {
        file: "src/server/pages/subscriptions.long.test.ts",
        name: "only who may see a page subscribes to it, and its own domain has it too",
      },
      {
        file: "src/notifier/subscribers/page-message-queue.test.ts",
        name: "an alert finds a place beside mails to subscribers that hang",
      },
    ],
  },
  {
    attack: "The first start, passwords and links in mails, used by somebody else",
    required:
      "The first account is made once, and the start prints nothing that opens it for longer than a day; passwords are hashed and reset at most once a minute; attempts to sign in are limited, and say and cost the same whether or not there is such a contact; a flood of them from many networks keeps nobody out, because browsers and addresses that signed in before go first, and then the network that tried least; sessions end for good with the password, the role, the mailbox and the second factor, and what is sent to them within seconds; a second factor is asked for after it, whose codes count once and whose wrong ones are held back; a provider of OpenID Connect signs in by an answer to what this browser asked, signed, used once, for a mailbox that it has verified and that is confirmed here; links are signed, and change nothing when they are only followed",
    guards: [
      "one first account",
      "passwords as hashes",
      "time between passwords",
      "proof of an unsubscription",
      "changes by POST alone",
      "proofs of links",
      "acknowledgements in the audit log",
      "names given with a link",
      "proof of an acknowledgement",
      "recipients of acknowledgements",
      "proof of a calendar",
      "keys of links",
      "end of a link",
      "end of tokens",
      "rate of tokens",
      "a Host in every request",
      "one Host in every request",
      "attempts to sign in",
      "cost of unknown mailboxes",
      "sessions and passwords",
      "sessions after a change of role or mailbox",
      "failed sign-ins as one entry",
      "sessions without use",
      "streams after their session",
      "streams of one caller",
      "links to sign in",
      "links to confirmed mailboxes",
      "second factors after passwords",
      "second factors before a new password",
      "sessions after a change of second factors",
      "codes of an app count once",
      "end of what waits for a second factor",
      "wrong codes",
      "attempts at second factors",
      "passwords for second factors",
      "keys of authenticator apps",
      "origin of passkeys",
      "challenge of passkeys",
      "state of a provider's answer",
      "signature of a provider's token",
      "mailboxes that a provider has verified",
      "one use of a provider's answer",
      "confirmed mailboxes of who signs in elsewhere",
      "attempts to sign in elsewhere",
      "slots of a semaphore by key",
      "password hashing",
      "lanes of passwords",
      "order of strangers",
      "a place that strangers leave",
      "networks of strangers",
      "known addresses that ask too much",
      "passwords that wait",
      "attempts of known browsers",
      "attempts of known networks",
      "mailboxes of known browsers",
    ],
    tests: [
      {
        file: "src/kit/crypto/password-threads.test.ts",
        name: "the event loop and libuv's threads are free while all threads hash",
      },
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
