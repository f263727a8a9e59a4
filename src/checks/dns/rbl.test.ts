import assert from "node:assert/strict";
import dns from "node:dns";
import test, { after, before, suite } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop, fakeClock } from "../../../test/time/fake-clock.ts";
import { type DnsAnswer, type DnsPeer, dnsPeer } from "../../../test/peers/dns.ts";
import { closedPort } from "../../../test/peers/tcp.ts";
import { type Rbldnsd, rbldnsd } from "../../../test/servers/rbldnsd.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { type DnsblZone, createRblCheck, dnsblZones, rblCheck } from "./rbl.ts";
import { queryDns } from "./client.ts";

checkParametersContract(rblCheck, {
  least: { target: "192.0.2.1" },
  leastReads: { target: "192.0.2.1", ignore: [] },
  full: { target: "mail.example.com", ignore: "Zen.example.org, bl.example.net,," },
  fullReads: { target: "mail.example.com", ignore: ["zen.example.org", "bl.example.net"] },
});

interface Run {
  readonly lists?: readonly DnsblZone[];
  readonly ignore?: unknown;
  readonly context?: Partial<RunContext>;
}

const one: DnsblZone = { zone: "one.test", families: [4] };
const two: DnsblZone = { zone: "two.test", families: [4, 6] };

function run(
  { port }: { readonly port: number },
  target: string,
  { lists = [one, two], ignore = "", context = {} }: Run = {},
): Promise<Outcome> {
  return createRblCheck(lists, (call, own) => queryDns({ ...call, server: "127.0.0.1", port }, own))
    .prepare({ target, ignore })
    .run(contextOf(context));
}

function portOf({ server }: DnsPeer): { readonly port: number } {
  return { port: Number(server.split(":")[1]) };
}

const six = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.5.4.1.0.0.a.2";
const neverSix = "1.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0";
const clean = "Not found in any RBLs";

interface Row {
  readonly name: string;
  readonly target?: string;
  readonly ignore?: unknown;
  readonly answers: Readonly<Record<string, DnsAnswer>>;
  /** The text, the message, and how many entries there are. */
  readonly says: readonly [text: string, message: string, listings: number];
  readonly questions?: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: "an address that nobody has",
    answers: {},
    says: ["Not listed", clean, 0],
    questions: ["A 7.114.0.203.one.test", "A 7.114.0.203.two.test"],
  },
  {
    name: "an address that one has",
    answers: { "A 7.114.0.203.one.test": ["127.0.0.2"] },
    says: ["Listed", "Found in RBLs: one.test:127.0.0.2", 1],
    questions: ["A 7.114.0.203.one.test", "A 7.114.0.203.two.test", "A 1.0.0.127.one.test"],
  },
  {
    name: "an address that both have, one of them twice",
    answers: {
      "A 7.114.0.203.one.test": ["127.0.0.4", "127.0.0.10"],
      "A 7.114.0.203.two.test": ["127.1.2.3"],
    },
    says: ["Listed", "Found in RBLs: one.test:127.0.0.4 127.0.0.10, two.test:127.1.2.3", 2],
  },
  {
    name: "an address that the ignored list has",
    ignore: "other.test, One.TEST",
    answers: { "A 7.114.0.203.one.test": ["127.0.0.2"] },
    says: ["Not listed", clean, 0],
    questions: ["A 7.114.0.203.two.test"],
  },
  {
    name: "an address where every list is ignored",
    ignore: ["one.test", "two.test"],
    answers: {},
    says: ["Not listed", `${clean}: none is asked about 203.0.114.7`, 0],
    questions: [],
  },
  {
    name: "a name that exists, but has no address there",
    answers: { "A 7.114.0.203.one.test": [] },
    says: ["Not listed", clean, 0],
  },
  ...(["refused", "failure", "silence"] as const).map((answer) => ({
    name: `a list whose answer is ${answer}, beside one that answers`,
    answers: { "A 7.114.0.203.one.test": answer },
    says: ["Not listed", `${clean}; no answer from one.test`, 0] as const,
  })),
  ...["127.255.255.254", "127.0.0.1", "192.0.2.1", "128.0.0.2"].map((address) => ({
    name: `a list that says ${address}, which is no entry`,
    answers: { "A 7.114.0.203.one.test": [address] },
    says: ["Not listed", `${clean}; no answer from one.test`, 0] as const,
    questions: ["A 7.114.0.203.one.test", "A 7.114.0.203.two.test"],
  })),
  {
    name: "a list that has everybody",
    answers: {
      "A 7.114.0.203.one.test": ["127.0.0.2"],
      "A 1.0.0.127.one.test": ["127.0.0.2"],
    },
    says: ["Not listed", `${clean}; no answer from one.test`, 0],
  },
  {
    name: "a listing of a list that does not say whether it has everybody",
    answers: { "A 7.114.0.203.one.test": ["127.0.0.2"], "A 1.0.0.127.one.test": "refused" },
    says: ["Listed", "Found in RBLs: one.test:127.0.0.2", 1],
  },
  {
    name: "the address that lists are tried with",
    target: "127.0.0.2",
    answers: { "A 2.0.0.127.one.test": ["127.0.0.2"] },
    says: ["Listed", "Found in RBLs: one.test:127.0.0.2", 1],
  },
  ...["10.1.2.3", "192.168.0.1", "fd12::1", "::1"].map((target) => ({
    name: `the private address ${target}`,
    target,
    answers: {},
    says: ["Not listed", `${clean}: none is asked about ${target}`, 0] as const,
    questions: [],
  })),
  {
    name: "an IPv6 address, where a list takes one",
    target: "2a00:1450::1",
    answers: { [`A ${six}.two.test`]: ["127.0.0.3"] },
    says: ["Listed", "Found in RBLs: two.test:127.0.0.3", 1],
    questions: [`A ${six}.two.test`, `A ${neverSix}.two.test`],
  },
  {
    name: "an IPv4 address in the form of an IPv6 one",
    target: "::ffff:203.0.114.7",
    answers: { "A 7.114.0.203.one.test": ["127.0.0.2"] },
    says: ["Listed", "Found in RBLs: one.test:127.0.0.2", 1],
  },
  {
    name: "a name of which one address is listed",
    target: "mail.example",
    answers: {
      "A mail.example": ["203.0.114.8", "10.0.0.1", "203.0.114.7"],
      "A 7.114.0.203.two.test": ["127.0.0.2"],
    },
    says: ["Listed", "Found in RBLs: two.test:127.0.0.2", 1],
    questions: [
      "A mail.example",
      "A 7.114.0.203.one.test",
      "A 7.114.0.203.two.test",
      "A 8.114.0.203.one.test",
      "A 8.114.0.203.two.test",
      "A 1.0.0.127.two.test",
    ],
  },
  {
    name: "a name that has an IPv6 address alone",
    target: "mail.example",
    answers: { "AAAA mail.example": ["2a00:1450::1"] },
    says: ["Not listed", clean, 0],
    questions: ["A mail.example", "AAAA mail.example", `A ${six}.two.test`],
  },
];

for (const { name, target = "203.0.114.7", ignore, answers, says, questions } of rows) {
  test(`${name}: ${says[1]}`, async () => {
    await using peer = await dnsPeer(answers);
    const controller = new AbortController();
    const { signal } = controller;
    const running = run(portOf(peer), target, { ignore, context: { signal } });
    if (Object.values(answers).includes("silence")) {
      await waitFor("both questions", () => peer.questions.length === 2);
      await drainEventLoop();
      controller.abort("over");
    }
    const { passed, reason, text, message, runtimeMs, address } = await running;
    assert.deepEqual([text, message, runtimeMs], says);
    assert.deepEqual([passed, reason], text === "Listed" ? [false, "listed"] : [true, "ok"]);
    assert.equal(address, undefined);
    if (questions !== undefined) assert.deepEqual(peer.questions.toSorted(), questions.toSorted());
  });
}

test("where an address is listed, it is shown what each list said", async () => {
  await using peer = await dnsPeer({
    "A mail.example": ["203.0.114.7", "203.0.114.8"],
    "A 7.114.0.203.one.test": ["127.0.0.4", "127.0.0.10"],
    "A 8.114.0.203.two.test": "refused",
  });
  const { evidence, timings } = await run(portOf(peer), "mail.example");
  assert.deepEqual(evidence?.split("\n"), [
    "203.0.114.7 in one.test: 127.0.0.4 127.0.0.10",
    "203.0.114.7 in two.test: not listed",
    "203.0.114.8 in one.test: not listed",
    "203.0.114.8 in two.test: no answer",
  ]);
  assert.deepEqual(Object.keys(timings ?? {}), ["dns", "total"]);
});

for (const [name, answers, message] of [
  ["that does not exist", {}, "No DNS resolution for mail.example"],
  ["without an address", { "A mail.example": [] }, "No addresses found for mail.example"],
  [
    "that cannot be found out",
    { "A mail.example": "failure" },
    "Error resolving mail.example: SERVFAIL",
  ],
] as const) {
  test(`a name ${name} fails: ${message}`, async () => {
    await using peer = await dnsPeer(answers);
    const outcome = await run(portOf(peer), "mail.example");
    assert.deepEqual([outcome.reason, outcome.text, outcome.message], ["dns", "Error", message]);
  });
}

test("no more than eight addresses of a name are looked up", async () => {
  const addresses = Array.from({ length: 20 }, (_, index) => `203.0.114.${index + 10}`);
  await using peer = await dnsPeer({ "A mail.example": addresses.toReversed() });
  assert.equal((await run(portOf(peer), "mail.example")).passed, true);
  const asked = peer.questions.filter((question) => question.endsWith(".one.test"));
  assert.deepEqual(
    asked.toSorted(),
    addresses
      .slice(0, 8)
      .map((address) => `A ${address.split(".").toReversed().join(".")}.one.test`),
  );
});

test("no more than 32 lists are asked at once, and all in the end", async () => {
  const lists = Array.from({ length: 70 }, (_, index) => ({
    zone: `l${index}.test`,
    families: [4] as const,
  }));
  let release: (() => void)[] = [];
  const check = createRblCheck(lists, ({ question }) => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof queryDns>>>();
    release.push(() =>
      resolve({
        address: "127.0.0.1",
        phases: { total: 0 },
        message: {
          code: "NXDOMAIN",
          truncated: false,
          question,
          answer: [],
          authority: [],
          additional: [],
        },
      }),
    );
    return promise;
  });
  const running = check.prepare({ target: "203.0.114.7" }).run(contextOf());
  for (const count of [32, 32, 6]) {
    await drainEventLoop();
    assert.equal(release.length, count);
    const due = release;
    release = [];
    for (const answer of due) answer();
  }
  assert.equal((await running).message, clean);
});

const unanswered: readonly DnsAnswer[] = ["refused", "failure", ["127.255.255.254"], ["192.0.2.1"]];
for (const answer of unanswered) {
  test(`lists that all say ${String(answer)} decide nothing`, async () => {
    await using peer = await dnsPeer({
      "A 7.114.0.203.one.test": answer,
      "A 7.114.0.203.two.test": answer,
    });
    await assert.rejects(run(portOf(peer), "203.0.114.7"), {
      code: "unavailable",
      message: "no block list answered",
    });
  });
}

test("lists that all are silent decide nothing, and nothing stays", async () => {
  const clock = fakeClock();
  const controller = new AbortController();
  {
    await using peer = await dnsPeer({
      "A 7.114.0.203.one.test": "silence",
      "A 7.114.0.203.two.test": "silence",
    });
    const { signal } = controller;
    const context = { signal, setTimer: clock.setTimer };
    const running = run(portOf(peer), "203.0.114.7", { context });
    await waitFor("both questions", () => peer.questions.length === 2);
    controller.abort("over");
    await assert.rejects(running, { code: "unavailable" });
  }
  assert.equal(clock.pending(), 0);
  await waitFor("no socket", () => !process.getActiveResourcesInfo().includes("UDPWrap"));
});

test("a name that is still looked up at the end is a timeout, and not of our server's address", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  await using peer = await dnsPeer({ "A mail.example": "silence" });
  const running = run(portOf(peer), "mail.example", { context: { signal } });
  await waitFor("the question", () => peer.questions.length === 1);
  controller.abort("over");
  const { reason, message, address } = await running;
  assert.deepEqual(
    [reason, message, address],
    ["timeout", "Timeout looking up the name", undefined],
  );
});

test("a server of our own that refuses to be asked is no failure of the target", async () => {
  const port = await closedPort();
  await assert.rejects(run({ port }, "203.0.114.7"), { code: "unavailable" });
  const { reason, message, unanswered, address } = await run({ port }, "mail.example");
  assert.deepEqual(
    [reason, message, unanswered, address],
    ["dns", "The DNS server of this location failed: Connection refused", "silent", undefined],
  );
});

test("nothing is asked where the signal has already aborted", async () => {
  await using peer = await dnsPeer({});
  const context = { signal: AbortSignal.abort("over") };
  assert.equal((await run(portOf(peer), "mail.example", { context })).reason, "timeout");
  await assert.rejects(run(portOf(peer), "203.0.114.7", { context }), { code: "unavailable" });
  await drainEventLoop();
  assert.deepEqual(peer.questions, []);
});

test("the known lists are asked of the system's own server", async () => {
  const ignore = "zen.spamhaus.org";
  await using peer = await dnsPeer({});
  const saved = dns.getServers();
  dns.setServers([peer.server]);
  try {
    const check = rblCheck.prepare({ target: "203.0.114.7", ignore });
    assert.equal((await check.run(contextOf())).message, clean);
  } finally {
    dns.setServers(saved);
  }
  const wanted = dnsblZones.filter(({ zone, families }) => families.includes(4) && zone !== ignore);
  assert.ok(wanted.length >= 12);
  assert.deepEqual(
    peer.questions.toSorted(),
    wanted.map(({ zone }) => `A 7.114.0.203.${zone}`).toSorted(),
  );
});

test("each list is known once, by a name that can be ignored", () => {
  const zones = dnsblZones.map(({ zone }) => zone);
  assert.deepEqual(zones, [...new Set(zones)].toSorted());
  const { ignore } = rblCheck.schema.parse({ target: "a.example", ignore: zones.join(" , ") });
  assert.deepEqual(ignore, zones);
});

suite("rbldnsd", () => {
  let server: Rbldnsd;
  before(async () => {
    server = await rbldnsd({
      zones: [
        {
          name: "spam.test",
          kind: "ip4set",
          entries: [
            ":127.0.0.2:Listed $",
            "127.0.0.2",
            "203.0.114.7 :127.0.0.4:",
            "203.0.115.0/24",
          ],
        },
        { name: "refusing.test", kind: "ip4set", entries: [":127.255.255.254:", "203.0.0.0/8"] },
        { name: "ended.test", kind: "ip4set", entries: ["203.0.0.0/8", "127.0.0.0/8"] },
        { name: "six.test", kind: "ip6trie", entries: ["2a00:1450::/32 :127.0.0.3:"] },
        {
          name: "hosts.test",
          kind: "generic",
          entries: ["mail A 203.0.116.1", "mail A 203.0.115.9"],
        },
      ],
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const lists = [
    { zone: "spam.test", families: [4] as const },
    { zone: "six.test", families: [6] as const },
    { zone: "refusing.test", families: [4] as const },
    { zone: "ended.test", families: [4] as const },
    { zone: "gone.test", families: [4] as const },
  ];
  const silent = "; no answer from refusing.test, ended.test, gone.test";
  for (const [target, ignore, message] of [
    ["203.0.114.7", "", "Found in RBLs: spam.test:127.0.0.4"],
    ["203.0.115.200", "", "Found in RBLs: spam.test:127.0.0.2"],
    ["127.0.0.2", "", "Found in RBLs: spam.test:127.0.0.2"],
    ["mail.hosts.test", "", "Found in RBLs: spam.test:127.0.0.2"],
    ["2a00:1450::8", "", "Found in RBLs: six.test:127.0.0.3"],
    ["203.0.114.8", "", `${clean}${silent}`],
    ["2a00:1451::8", "", clean],
    ["203.0.114.8", "refusing.test,ended.test,gone.test", clean],
    ["nobody.hosts.test", "", "No DNS resolution for nobody.hosts.test"],
  ] as const) {
    test(`${target}${ignore === "" ? "" : ` without ${ignore}`}: ${message}`, async () => {
      assert.equal((await run(server, target, { lists, ignore })).message, message);
    });
  }

  test("lists that refuse or have ended decide nothing", async () => {
    const ignore = "spam.test";
    await assert.rejects(run(server, "203.0.114.7", { lists, ignore }), { code: "unavailable" });
  });
});
