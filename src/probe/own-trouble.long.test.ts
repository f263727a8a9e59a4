import assert from "node:assert/strict";
import dns from "node:dns";
import { createServer } from "node:http";
import { test } from "node:test";

import ipaddr from "ipaddr.js";

import { cachingResolver, dnsPeer, type DnsAnswer, type DnsPeer } from "../../test/peers/dns.ts";
import { closedPort, fullPeer, listen } from "../../test/peers/tcp.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import type { Report } from "../bus/bus.ts";
import { failed, passed } from "../domain/run/outcome.ts";
import { systemClock } from "../kit/clock.ts";
import { noHostLimits } from "../kit/concurrency/host-limiter.ts";
import type { Log } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createEgress } from "../kit/net/egress.ts";
import {
  createCarrierNotes,
  createFindLocalNetworkProblem,
  type OwnNetwork,
  type FindLocalNetworkProblem,
} from "../kit/net/local-network.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { noStalls } from "../kit/time/event-loop-monitor.ts";
import { createAddressSlots } from "./address-slots.ts";
import { createConnectivityProbe, type ConnectivityAddress } from "./connectivity-probe.ts";
import { createJobRunner } from "./job-runner.ts";
import { createOwnTrouble } from "./own-trouble.ts";
import { createTargetMemory } from "./target-memory.ts";

type Table = Record<string, DnsAnswer>;

/** An address of the Internet, which no test dials, and one of this machine. */
const PUBLIC = "93.184.216.34";
const HOME = "127.0.0.1";
const NO_WAY: FindLocalNetworkProblem = (_, side) =>
  Promise.resolve(side === "private" ? undefined : "this machine has no default route");
const A_WAY: FindLocalNetworkProblem = () => Promise.resolve(undefined);

interface Scene {
  readonly server?: string;
  readonly findLocalNetworkProblem?: FindLocalNetworkProblem;
  readonly isPublic?: boolean;
  readonly connectivity?: readonly ConnectivityAddress[];
}

/** The probe of a location whose resolver is at that address, and what it logs. */
function location({
  server = "127.0.0.1:1",
  findLocalNetworkProblem = A_WAY,
  isPublic,
  connectivity = [],
}: Scene) {
  const clock = systemClock;
  const events: string[] = [];
  const note = (event: string): void => void events.push(event);
  const log: Log = { info: note, warn: note, error: note };
  const resolver = createResolver({ servers: [server] });
  const own = createEgress({ mode: "private", resolver });
  const egress = isPublic === true ? { ...own, isPublic: () => true } : own;
  const run = createJobRunner({
    location: { code: "ld", region: undefined },
    egress,
    ownTrouble: createOwnTrouble({
      egress,
      connectivity: createConnectivityProbe(connectivity, { egress, clock }),
      clock,
      findLocalNetworkProblem,
    }),
    addressSlots: createAddressSlots(noHostLimits, clock),
    eventLoop: noStalls,
    memory: createTargetMemory(clock),
    clock,
    log,
    meter: noMeter,
  });
  return {
    events,
    look: (name: string) => resolver.resolve(name, { signal: new AbortController().signal }),
    run: (type: string, parameters: Record<string, unknown>, timeoutMs = 400): Promise<Report> =>
      run({ id: "job", checkId: "check", accountId: "alice", type, parameters, timeoutMs }),
  };
}

function kindOf(report: Report): string {
  return "error" in report ? report.error : report.outcome.reason;
}

const target = { target: "shop.test", port: 80 };

/** How the resolver treats the name and all others, also those below one of its own network; and what a run of a check then says. */
const rows: readonly {
  readonly name: string;
  readonly shop: DnsAnswer;
  readonly others: DnsAnswer;
  readonly below?: DnsAnswer;
  readonly says: string;
}[] = [
  { name: "silent for all", shop: "silence", others: "silence", says: "no_resolver" },
  { name: "failing for all", shop: "failure", others: "failure", says: "no_resolver" },
  { name: "refusing all", shop: "refused", others: "refused", says: "no_resolver" },
  { name: "silent for the name alone", shop: "silence", others: "unknown", says: "timeout" },
  { name: "failing for the name alone", shop: "failure", others: "unknown", says: "dns" },
  { name: "refusing the name alone", shop: "refused", others: "unknown", says: "dns" },
  {
    name: "failing for the name, where each other has an address",
    shop: "failure",
    others: ["127.0.0.1"],
    says: "dns",
  },
  {
    name: "failing for the name, and refusing what is not of its network",
    shop: "failure",
    others: "refused",
    says: "dns",
  },
  {
    name: "sure that the name does not exist, and failing for all others",
    shop: "unknown",
    others: "failure",
    says: "dns",
  },
  { name: "sure that the name has no address", shop: [], others: "silence", says: "dns" },
  {
    name: "failing for all but what it has kept",
    shop: "failure",
    others: "failure",
    below: "failure",
    says: "no_resolver",
  },
  {
    name: "failing for the name and the Internet, but not below a name of its network",
    shop: "failure",
    others: "failure",
    below: "unknown",
    says: "dns",
  },
  {
    name: "refusing the name and the Internet, but not below a name of its network",
    shop: "refused",
    others: "refused",
    below: [],
    says: "dns",
  },
];

const tableOf =
  ({ shop, others, below }: (typeof rows)[number]) =>
  (question: string): DnsAnswer => {
    if (question.endsWith(" shop.test")) return shop;
    if (below === undefined) return others;
    if (question.endsWith(" other.test")) return ["127.0.0.1"];
    return question.endsWith(".other.test") ? below : others;
  };

for (const row of rows)
  test(`a lookup by a resolver that is ${row.name}: ${row.says}`, async () => {
    await using peer = await dnsPeer(tableOf(row));
    const { run, events } = location(peer);
    if (row.below !== undefined) await run("PORT", { target: "other.test", port: 80 });
    assert.equal(kindOf(await run("PORT", target)), row.says);
    assert.deepEqual(events, row.says === "no_resolver" ? ["probe.resolver_silent"] : []);
  });

for (const rest of ["silence", "failure"] as const)
  test(`a resolver that keeps answers, and whose uplink is dead with ${rest}, leaves no verdict`, async () => {
    const zone = { "A long.example": [PUBLIC], "A other.example": [PUBLIC], "A db.test": [HOME] };
    const { answer, cut } = cachingResolver(zone);
    await using peer = await dnsPeer(answer);
    await using online = await listen(createServer());
    const { run, look } = location({ ...peer, connectivity: [online] });
    for (const name of ["long.example", "other.example", "db.test"]) await look(name);
    cut(rest);
    for (let tick = 0; tick < 3; tick += 1) {
      assert.deepEqual(await look("long.example"), [PUBLIC]);
      assert.equal(kindOf(await run("PORT", { target: "short.example", port: 80 })), "no_resolver");
    }
  });

test("an address that answers confirms nothing of a lookup", async () => {
  const { answer } = cachingResolver({ "A short.example": "failure" });
  await using peer = await dnsPeer(answer);
  await using online = await listen(createServer());
  const { run } = location({ ...peer, connectivity: [online] });
  const report = await run("PORT", { target: "short.example", port: 80 });
  assert.equal(kindOf(report), "dns");
  assert.equal("connectivityConfirmed" in report && report.connectivityConfirmed, false);
});

/** Every type that looks a name up, by its own way, at a resolver that does not answer. */
const types: Readonly<Record<string, Record<string, unknown>>> = {
  HTTP: { target: "http://shop.test/" },
  SSL: { target: "shop.test", port: 443 },
  PING: { target: "shop.test" },
  "PORT inverted": { ...target, invert: true },
  SMTP: { target: "shop.test", port: 25 },
  FTP: { target: "shop.test", port: 21 },
  SSH: { target: "shop.test", port: 22 },
  SIP: { target: "shop.test", port: 5060 },
  WEBSOCKET: { target: "ws://shop.test/" },
  AUDIO: { target: "http://shop.test/" },
  "DNS at a named server": { target: "shop.test", dnstoresolve: "a.test" },
  "DNS at the resolver": { dnstoresolve: "shop.test" },
  RBL: { target: "shop.test" },
};

for (const mode of ["silence", "failure"] as const)
  for (const [name, parameters] of Object.entries(types))
    test(`${name} has no verdict while the resolver answers with ${mode}`, async () => {
      await using peer = await everyName(mode);
      const { run } = location(peer);
      const [type = ""] = name.split(" ");
      const report = await run(type, parameters);
      assert.equal(kindOf(report), "no_resolver", JSON.stringify(report));
    });

/** A resolver that treats all names alike; the queries without a target go there too. */
async function everyName(answer: DnsAnswer): Promise<DnsPeer> {
  const table = new Proxy<Table>({}, { get: () => answer });
  const peer = await dnsPeer(table);
  const before = dns.getServers();
  dns.setServers([peer.server]);
  return {
    ...peer,
    async [Symbol.asyncDispose]() {
      dns.setServers(before);
      await peer[Symbol.asyncDispose]();
    },
  };
}

test("a machine without a name server has no verdict, and logs an event without a stack", async () => {
  const { run, events } = location({ server: `127.0.0.1:${await closedPort()}` });
  const report = await run("PORT", target);
  assert.deepEqual(report, {
    error: "no_resolver",
    message:
      "the resolver of location ld does not answer (it answers no control query, or finds the name now): Error resolving shop.test: no DNS server can be reached",
  });
  assert.deepEqual(events, ["probe.resolver_silent"]);
});

test("a name server that is the target itself fails where it is silent", async () => {
  await using peer = await dnsPeer(new Proxy<Table>({}, { get: () => "silence" }));
  const { run } = location({});
  const [host, port] = peer.server.split(":");
  const report = await run("DNS", { target: host, port: Number(port), dnstoresolve: "a.test" });
  assert.equal(kindOf(report), "timeout");
});

test("a resolver that dies between the two lookups of a redirect leaves no verdict", async () => {
  let isDead = false;
  await using shop = await listen(
    createServer((_, response) => {
      isDead = true;
      response.writeHead(302, { location: "http://cdn.test/" }).end();
    }),
  );
  await using peer = await dnsPeer(() => (isDead ? "silence" : [HOME]));
  const { run } = location(peer);
  const report = await run("HTTP", { target: `http://shop.test:${shop.port}/`, follow: true });
  assert.equal(kindOf(report), "no_resolver");
});

test("an IPv4 answer without addresses, and silence about IPv6, count while the resolver works", async () => {
  await using peer = await dnsPeer({ "A shop.test": [], "AAAA shop.test": "silence" });
  const { run } = location(peer);
  assert.equal(kindOf(await run("PORT", target)), "timeout");
});

// guard: control queries that runs share
test("all runs whose lookup fails at a moment share a control query", async () => {
  await using peer = await dnsPeer(() => "failure");
  const { run } = location(peer);
  await Promise.all(Array.from({ length: 50 }, () => run("PORT", target)));
  const controls = peer.questions.filter((question) => question.endsWith(".com"));
  assert.ok(controls.length <= 10, `${controls.length} control queries`);
});

test("a lookup that succeeds costs no control query", async () => {
  await using peer = await dnsPeer({ "A shop.test": [HOME] });
  const { run } = location(peer);
  await run("PORT", target);
  assert.deepEqual(peer.questions, ["A shop.test"]);
});

test("a name that the resolver finds right after it left its lookup unanswered has no verdict", async () => {
  const table: Table = { "A shop.test": "silence" };
  await using peer = await dnsPeer(table);
  const { run } = location(peer);
  const running = run("PORT", target);
  await waitFor("the lookup", () => peer.questions.length > 0);
  table["A shop.test"] = ["127.0.0.1"];
  assert.equal(kindOf(await running), "no_resolver");
});

test("a control query has 1.5 s", async () => {
  const clock = fakeClock();
  await using peer = await dnsPeer(() => "silence");
  const resolver = createResolver({ servers: [peer.server], clock });
  let works: boolean | undefined;
  void resolver.works("silent").then((found) => (works = found));
  await waitFor("the control query", () => peer.questions.length > 0);
  await clock.advance(1499);
  assert.equal(works, undefined);
  await clock.advance(1);
  await waitFor("an end", () => works === false);
});

test("without a way to the Internet public targets have no verdict, and private ones have", async () => {
  await using peer = await fullPeer();
  const parameters = { target: "127.0.0.1", port: peer.port };
  const outside = location({ findLocalNetworkProblem: NO_WAY, isPublic: true });
  const report = await outside.run("PORT", parameters, 100);
  assert.deepEqual(report, {
    error: "offline",
    message: "location ld is offline (this machine has no default route): Timeout connecting",
  });
  assert.deepEqual(outside.events, ["probe.offline"]);
  const inside = location({ findLocalNetworkProblem: NO_WAY });
  assert.equal(kindOf(await inside.run("PORT", parameters, 100)), "timeout");
});

test("without a way to the Internet a dead resolver is no surprise, and one that answers counts", async () => {
  await using silent = await dnsPeer(() => "silence");
  const offline = location({ ...silent, findLocalNetworkProblem: NO_WAY });
  assert.equal(kindOf(await offline.run("PORT", target)), "offline");
  await using answering = await dnsPeer((question) =>
    question.endsWith(" shop.test") ? "unknown" : "refused",
  );
  const alone = location({ ...answering, findLocalNetworkProblem: NO_WAY });
  assert.equal(kindOf(await alone.run("PORT", target)), "dns");
});

test("without a route to its address a private target has no verdict either", async () => {
  await using peer = await fullPeer();
  const cutOff = location({
    findLocalNetworkProblem: (address) =>
      Promise.resolve(`this machine has no route to ${address}`),
  });
  const report = await cutOff.run("PORT", { target: "127.0.0.1", port: peer.port }, 100);
  assert.equal(kindOf(report), "offline");
});

test("a name that does not exist is known by a location that is online", async () => {
  await using peer = await dnsPeer({});
  const report = await location(peer).run("PORT", target);
  assert.equal("connectivityConfirmed" in report && report.connectivityConfirmed, true);
});

for (const [address, isLost, silent] of [
  ["10.0.0.1", true, true],
  ["10.0.0.1", false, false],
  ["127.0.0.1", true, false],
  [PUBLIC, true, false],
] as const)
  test(`a failure at ${address} says ${silent ? "" : "nothing of "}a resolver that is ${isLost ? "silent" : "well"}`, async () => {
    const { find } = createOwnTrouble({
      egress: {
        isPublic: (each) => each === PUBLIC,
        isResolverLost: () => Promise.resolve(isLost),
      },
      connectivity: { isConfigured: false, isOnline: () => Promise.resolve(true) },
      clock: systemClock,
      findLocalNetworkProblem: A_WAY,
    });
    const found = await find({ ...failed("timeout", "Timeout", "Timeout"), address }, new Map());
    assert.deepEqual([found.trouble, found.resolverSilent], [undefined, silent]);
  });

test("a port that is closed because nothing answers says as little as a failure", async () => {
  const { find } = createOwnTrouble({
    egress: { isPublic: () => true },
    connectivity: { isConfigured: true, isOnline: () => Promise.resolve(false) },
    clock: systemClock,
    findLocalNetworkProblem: A_WAY,
  });
  const outcome = { ...passed("Timeout", "Port 23 is closed"), address: PUBLIC };
  const found = await find({ ...outcome, unreached: true }, new Map());
  assert.equal(found.trouble?.error, "offline");
  assert.equal((await find(outcome, new Map())).trouble, undefined);
});

for (const isPublic of [true, false])
  test(`a run has no verdict if the link to its ${isPublic ? "public" : "private"} target was down meanwhile`, async () => {
    let changes = 0;
    const network: OwnNetwork = {
      hasRoute: () => Promise.resolve(true),
      routes: () => [{ network: [ipaddr.IPv4.parse("0.0.0.0"), 0], link: "eth0" }],
      links: () => ["eth0"],
      hasCarrier: () => true,
      carrierChanges: () => String(changes),
      isBridge: () => false,
    };
    const clock = fakeClock();
    const { noteCarriers, find } = createOwnTrouble({
      egress: { isPublic: () => isPublic },
      // Those that answer after the return of the link say nothing of the time before.
      connectivity: { isConfigured: true, isOnline: () => Promise.resolve(true) },
      clock,
      findLocalNetworkProblem: createFindLocalNetworkProblem(network),
      noteCarriers: createCarrierNotes(clock, network),
    });
    const timeout = { ...failed("timeout", "Timeout", "Timeout"), address: "10.1.2.3" };
    const atStart = noteCarriers();
    assert.equal((await find(timeout, atStart)).trouble, undefined);
    changes += 1;
    assert.deepEqual((await find(timeout, atStart)).trouble, {
      error: "offline",
      message: "the link eth0 of this machine was down meanwhile",
    });
    assert.equal((await find(passed("OK", "OK"), atStart)).trouble, undefined);
    await clock.advance(1000);
    assert.equal((await find(timeout, noteCarriers())).trouble, undefined);
  });
