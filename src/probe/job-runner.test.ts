import assert from "node:assert/strict";
import { createServer } from "node:http";
import { suite, test } from "node:test";

import type { Job, Report } from "../bus/bus.ts";
import { systemClock } from "../kit/clock.ts";
import { createEgress, type Egress } from "../kit/net/egress.ts";
import { silentLog, type Log } from "../kit/log.ts";
import type { MemoryBudget } from "../kit/concurrency/memory-budget.ts";
import { noMeter, type Meter } from "../kit/meter.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { TEST_DEADLINE_MS, waitFor } from "../../test/time/wait-for.ts";
import { blockableClock } from "../../test/time/blockable-clock.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { httpPeer } from "../../test/peers/http.ts";
import { closedPort, fullPeer, listen, silent, tcpPeer } from "../../test/peers/tcp.ts";
import { createEventLoopMonitor, noStalls } from "../kit/time/event-loop-monitor.ts";
import { createAddressSlots } from "./address-slots.ts";
import { createJobRunner } from "./job-runner.ts";
import { createTargetMemory } from "./target-memory.ts";
import { createConnectivityProbe, type ConnectivityAddress } from "./connectivity-probe.ts";
import { createOwnTrouble } from "./own-trouble.ts";
import { noHostLimits, type HostLimits } from "../kit/concurrency/host-limiter.ts";

type OutcomeReport = Extract<Report, { outcome: unknown }>;
type ErrorReport = Extract<Report, { error: unknown }>;

const host = "127.0.0.1";
const everywhere = createEgress({ mode: "private", resolver: createResolver() });
/** As if the peers on this machine were out on the Internet. */
const asPublic: Egress = { ...everywhere, isPublic: () => true };

/** The job runner of the location `ld`, to be called with the parts of a job. */
function createRun(
  options: {
    egress?: Egress;
    addresses?: readonly ConnectivityAddress[];
    connectivityEgress?: Egress;
    clock?: typeof systemClock;
    eventLoop?: typeof noStalls;
    addressLimits?: HostLimits;
    log?: Log;
    meter?: Meter;
    memory?: MemoryBudget;
    accountId?: string;
  } = {},
) {
  const { egress = everywhere, connectivityEgress = everywhere, clock = systemClock } = options;
  const { eventLoop = noStalls, log = silentLog, meter = noMeter } = options;
  const connectivity = createConnectivityProbe(options.addresses ?? [], {
    egress: connectivityEgress,
    clock,
  });
  const ownTrouble = createOwnTrouble({ egress, connectivity, ...options, clock });
  const location = { code: "ld", region: undefined } as const;
  const { accountId = "alice", memory = createTargetMemory(clock) } = options;
  const addressSlots = createAddressSlots(options.addressLimits ?? noHostLimits, clock);
  const places = { memory, addressSlots };
  const deps = { location, egress, ownTrouble, ...places, eventLoop, clock, log, meter };
  const runJob = createJobRunner(deps);
  return (
    type: string,
    parameters: Job["parameters"],
    timeoutMs = TEST_DEADLINE_MS,
  ): Promise<Report> =>
    runJob({ id: "job", checkId: "check", accountId, type, parameters, timeoutMs });
}

function outcomeReport(report: Report): OutcomeReport {
  assert.ok("outcome" in report, JSON.stringify(report));
  return report;
}

function errorReport(report: Report): ErrorReport {
  assert.ok("error" in report, JSON.stringify(report));
  return report;
}

test("a job is run and reported with the time of the run", async () => {
  await using peer = await tcpPeer(silent);
  const run = createRun();
  const { outcome, startOffsetMs, endOffsetMs, connectivityConfirmed } = outcomeReport(
    await run("PORT", { target: host, port: peer.port }),
  );
  assert.deepEqual([outcome.passed, startOffsetMs, connectivityConfirmed], [true, 0, false]);
  assert.ok(endOffsetMs > 0 && endOffsetMs < TEST_DEADLINE_MS);
  await waitFor("nothing is left open", () => peer.open() === 0);
});

test("a configuration that cannot run is final, with the parameter named", async () => {
  const run = createRun();
  const { outcome } = outcomeReport(await run("PORT", { target: host, port: "many" }));
  assert.deepEqual([outcome.passed, outcome.final], [false, true]);
  assert.match(outcome.message, /^port: /);
});

test("a target that policy refuses is blocked, which is no failure", async () => {
  const run = createRun();
  assert.equal(
    errorReport(await run("PORT", { target: "169.254.169.254", port: 80 })).error,
    "blocked",
  );
});

for (const [name, type] of [
  ["nobody knows", "NOSUCH"],
  ["no probe runs", "PUSH"],
] as const) {
  test(`a type that ${name} is an internal error`, async () => {
    const run = createRun();
    assert.equal(errorReport(await run(type, {})).error, "internal_error");
  });
}

for (const [name, resolve] of [
  ["throws", () => Promise.reject(new Error("too many open files"))],
  [
    "throws before it has begun",
    () => {
      throw new Error("too many open files");
    },
  ],
] as const) {
  test(`a run that ${name} is an internal error, and its deadline goes with it`, async () => {
    const clock = fakeClock();
    const run = createRun({ egress: { ...everywhere, resolve }, clock });
    const { error, message } = errorReport(await run("PORT", { target: host, port: 80 }));
    assert.deepEqual([error, message], ["internal_error", "the probe failed: too many open files"]);
    assert.equal(clock.pending(), 0);
  });
}

// guard: the signal of a run
test("a type that heeds its signal says in which phase the time ran out, and leaves nothing open", async () => {
  await using peer = await httpPeer(() => {});
  const run = createRun({ addresses: [{ host, port: await closedPort() }] });
  const { outcome } = outcomeReport(await run("HTTP", { target: peer.url }, 150));
  assert.deepEqual(
    [outcome.reason, outcome.message],
    ["timeout", "Timeout waiting for the answer"],
  );
  await waitFor("nothing is left open", () => peer.open() === 0);
});

const MIB = 2 ** 20;
const wanted = "wanted";

/** A page of a mebibyte that ends with what is wanted. */
const largePeer = (headers: Readonly<Record<string, string>> = {}) =>
  httpPeer((_, response) =>
    response.writeHead(200, headers).end("x".repeat(MIB - wanted.length) + wanted),
  );

test("runs that receive more at once than there is memory for take turns, and pass", async () => {
  await using ofLength = await largePeer({ "Content-Length": String(MIB) });
  await using ofChunks = await largePeer();
  // None waits in vain for its turn, however slow the machine is.
  const patient = { ...fakeClock(), monotonic: systemClock.monotonic };
  const run = createRun({ memory: createTargetMemory(patient, 16 * MIB) });
  const roundOfRuns = async () => {
    const reports = await Promise.all(
      Array.from({ length: 60 }, (_, no) =>
        run("HTTPCONTENT", {
          // Sixteen without a length could each hold half of what they need, and wait for each other.
          target: no % 4 === 0 ? ofChunks.url : ofLength.url,
          contentstring: wanted,
        }),
      ),
    );
    return reports.map((report) => outcomeReport(report).outcome);
  };
  // How many meet depends on the machine, so there are rounds until some had to wait.
  const isAfterWait = await waitFor("a run that had to wait", async () => {
    const outcomes = await roundOfRuns();
    assert.ok(outcomes.every(({ passed }) => passed));
    // Times that include our own waits say nothing about the target.
    return outcomes.some(({ untimed }) => untimed === true);
  });
  assert.ok(isAfterWait);
});

// guard: waits for memory
test("a run that finds no memory says nothing of its target, and holds up no other account", async () => {
  await using endless = await httpPeer((_, response) =>
    response.writeHead(200, { "Content-Length": String(MIB) }).write("x"),
  );
  await using page = await httpPeer((_, response) => response.end(wanted));
  const clock = fakeClock();
  const memory = createTargetMemory(clock, 4 * MIB);
  const check = (target: string, accountId: string): Promise<Report> =>
    createRun({ clock, memory, accountId })("HTTPCONTENT", { target, contentstring: wanted }, 1000);
  const hanging = Array.from({ length: 5 }, () => check(endless.url, "mallory"));
  await waitFor("all are connected", () => endless.open() === 5);
  assert.ok(outcomeReport(await check(page.url, "alice")).outcome.passed);
  const ended = Promise.all(hanging);
  await clock.advance(2000);
  const reports = await ended;
  const kinds = reports.map((report) => ("error" in report ? report.error : report.outcome.reason));
  // The first had its time, and maybe one more that came after it.
  assert.deepEqual(kinds.toSorted().slice(0, 3), ["busy", "busy", "busy"]);
  assert.equal(kinds.at(0), "timeout");
});

// guard: the deadline of a run
test("a run that ignores its signal is not waited for", async () => {
  const deaf: Egress = { ...everywhere, resolve: () => new Promise(() => {}) };
  const clock = fakeClock();
  const run = createRun({ egress: deaf, clock });
  let report: Report | undefined;
  void run("PORT", { target: host, port: 80 }, 2000).then((found) => (report = found));
  await clock.advance(2249);
  assert.equal(report, undefined);
  await clock.advance(1);
  const { outcome, endOffsetMs } = outcomeReport(await waitFor("a report", () => report));
  assert.deepEqual(
    [outcome.reason, outcome.message, endOffsetMs],
    ["timeout", "Timeout after 2 s", 2250],
  );
});

test("a timeout at a public target is the error offline while no connectivity address answers", async () => {
  await using target = await fullPeer();
  const run = createRun({ egress: asPublic, addresses: [{ host, port: await closedPort() }] });
  const { error, message } = errorReport(
    await run("PORT", { target: host, port: target.port }, 100),
  );
  assert.equal(error, "offline");
  assert.match(
    message,
    /^location ld is offline \(no connectivity address answers\): Timeout connecting/,
  );
});

test("a connectivity address that answers confirms the failure", async () => {
  await using target = await fullPeer();
  await using online = await tcpPeer(silent);
  const run = createRun({
    egress: asPublic,
    addresses: [{ host, port: await closedPort() }, online],
  });
  const { outcome, connectivityConfirmed } = outcomeReport(
    await run("PORT", { target: host, port: target.port }, 100),
  );
  assert.deepEqual([outcome.reason, connectivityConfirmed], ["timeout", true]);
});

test("the time of the connectivity check is not the run's", async () => {
  await using online = await tcpPeer(silent);
  const clock = fakeClock();
  const unreachable = Object.assign(new Error("unreachable"), { code: "ENETUNREACH" });
  const run = createRun({
    egress: { ...asPublic, resolve: () => Promise.reject(unreachable) },
    addresses: [online],
    connectivityEgress: {
      ...everywhere,
      async resolve(name, options) {
        await clock.advance(700);
        return everywhere.resolve(name, options);
      },
    },
    clock,
  });
  const { outcome, connectivityConfirmed, endOffsetMs } = outcomeReport(
    await run("PORT", { target: host, port: 80 }),
  );
  assert.deepEqual([outcome.reason, connectivityConfirmed, endOffsetMs], ["unreachable", true, 0]);
});

test("private targets and passes need no connectivity check", async () => {
  await using target = await fullPeer();
  await using healthy = await tcpPeer(silent);
  await using online = await tcpPeer(silent);
  const inside = createRun({ addresses: [online] });
  const failure = outcomeReport(await inside("PORT", { target: host, port: target.port }, 100));
  assert.deepEqual([failure.outcome.reason, failure.connectivityConfirmed], ["timeout", false]);
  const outside = createRun({ egress: asPublic, addresses: [online] });
  const pass = outcomeReport(await outside("PORT", { target: host, port: healthy.port }));
  assert.equal(pass.outcome.passed, true);
  assert.equal(online.accepted(), 0);
});

test("a failure that only the target can cause needs no connectivity check", async () => {
  await using online = await tcpPeer(silent);
  const run = createRun({ egress: asPublic, addresses: [online] });
  const { outcome } = outcomeReport(await run("PORT", { target: host, port: await closedPort() }));
  assert.equal(outcome.reason, "refused");
  assert.equal(online.accepted(), 0);
});

test("a hundred names of one address are one target: what waits for it waits in no response time, and in no timeout", async () => {
  const answers: (() => void)[] = [];
  let most = 0;
  await using peer = await httpPeer((_, response) => {
    answers.push(() => void response.end("fine"));
    most = Math.max(most, answers.length);
  });
  const timeoutMs = 5000;
  const clock = fakeClock();
  const run = createRun({
    egress: { ...everywhere, resolve: () => Promise.resolve({ address: host, family: 4 }) },
    addressLimits: { maxRunsAtOnce: 4, maxStartsPerSecond: 0 },
    clock,
  });
  const reports = Promise.all(
    ["one", "two", "three", "four"].map((name) =>
      run("HTTP", { target: `http://${name}.example:${peer.port}/` }, timeoutMs),
    ),
  );
  await waitFor("two that are asked", () => answers.length === 2);
  await clock.advance(4000);
  for (const answer of answers.splice(0)) answer();
  await waitFor("the other two", () => answers.length === 2);
  await clock.advance(3000);
  for (const answer of answers.splice(0)) answer();
  const found = (await reports).map(outcomeReport);
  assert.equal(most, 2);
  assert.deepEqual(
    found.map(({ outcome, startOffsetMs, endOffsetMs }) => [
      outcome.passed,
      endOffsetMs - startOffsetMs,
      outcome.timings?.dns,
      outcome.timings?.total,
    ]),
    [4000, 4000, 3000, 3000].map((ms) => [true, ms, 0, ms]),
  );
});

test("a redirect to an address that has no place left waits for one, and in vain is no verdict", async () => {
  await using target = await httpPeer(() => {});
  const redirecting = createServer((_, response) => {
    response.writeHead(302, { location: `http://victim.example:${target.port}/` }).end();
  });
  await using other = await listen(redirecting, "127.0.0.2");
  const clock = fakeClock();
  const run = createRun({
    egress: {
      ...everywhere,
      resolve: (name) =>
        Promise.resolve({ address: name === "victim.example" ? host : "127.0.0.2", family: 4 }),
    },
    addressLimits: { maxRunsAtOnce: 2, maxStartsPerSecond: 0 },
    clock,
  });
  const first = run("HTTP", { target: `http://victim.example:${target.port}/` }, 60_000);
  await waitFor("the first", () => target.accepted() === 1);
  const second = run("HTTP", { target: `http://other.example:${other.port}/`, follow: true }, 5000);
  await waitFor("its wait", () => clock.pending() === 4);
  await clock.advance(10_000);
  const { error, message } = errorReport(await second);
  assert.equal(error, "busy");
  assert.match(message, /127\.0\.0\.1/);
  await clock.advance(60_000);
  assert.equal(outcomeReport(await first).outcome.reason, "timeout");
});

suite("a probe that was too busy", () => {
  test("reports no times, and logs and counts each", async () => {
    await using peer = await tcpPeer(silent);
    const events: string[] = [];
    const run = createRun({
      eventLoop: { stalledSince: () => 40 },
      log: { ...silentLog, warn: (event) => events.push(event) },
      meter: { ...noMeter, count: (event) => events.push(`counted ${event}`) },
    });
    for (let count = 0; count < 2; count += 1) {
      const { outcome } = outcomeReport(await run("PORT", { target: host, port: peer.port }));
      assert.deepEqual(
        [outcome.passed, outcome.untimed, outcome.timings, outcome.runtimeMs],
        [true, true, undefined, undefined],
      );
    }
    assert.deepEqual(events, [
      "counted probe.untimed",
      "probe.event_loop_lag",
      "counted probe.untimed",
      "probe.event_loop_lag",
    ]);
  });

  for (const { name, stalls, every, error } of [
    { name: "by stalls of 60 ms in 240", stalls: 60, every: 240, error: undefined },
    { name: "by stalls of 150 ms in 600", stalls: 150, every: 600, error: undefined },
    { name: "for longer than can be given back", stalls: 5500, every: 6000, error: "busy" },
  ]) {
    test(`and stood still ${name}, calls a target that hangs ${error ?? "timed out"}`, async () => {
      const clock = blockableClock();
      const eventLoop = createEventLoopMonitor(clock);
      const deaf: Egress = { ...everywhere, resolve: () => new Promise(() => {}) };
      const run = createRun({ egress: deaf, clock, eventLoop });
      let report: Report | undefined;
      void run("PORT", { target: host, port: 80 }, 5000).then((found) => (report = found));
      const startedAt = clock.monotonic();
      while (report === undefined && clock.monotonic() - startedAt < 20_000) {
        await clock.advance(every - stalls);
        await clock.block(stalls);
      }
      eventLoop.stop();
      assert.ok(report !== undefined);
      if (error !== undefined) assert.equal(errorReport(report).error, error);
      else assert.equal(outcomeReport(report).outcome.reason, "timeout");
    });
  }

  test("is an error, and no failure of a target that closed its connection meanwhile", async () => {
    for (const [stalledMs, isError] of [
      [300, false],
      [301, true],
    ] as const) {
      const run = createRun({ eventLoop: { stalledSince: () => stalledMs } });
      const report = await run("PORT", { target: host, port: await closedPort() }, 300);
      assert.equal("error" in report ? report.error : undefined, isError ? "busy" : undefined);
    }
  });
});
