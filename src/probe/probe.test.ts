import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { createMemoryBus } from "../bus/memory/memory-bus.ts";
import type { Job, Report } from "../bus/bus.ts";
import { systemClock } from "../kit/clock.ts";
import { createEgress } from "../kit/net/egress.ts";
import type { Egress } from "../kit/net/egress.ts";
import { silentLog } from "../kit/log.ts";
import type { Log } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import type { Meter } from "../kit/meter.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { TEST_DEADLINE_MS, waitFor } from "../../test/wait-for.ts";
import { fakeClock } from "../../test/fake-clock.ts";
import { httpPeer } from "../../test/peers/http.ts";
import { closedPort, fullPeer, silent, tcpPeer } from "../../test/peers/tcp.ts";
import { noStalls } from "./event-loop-monitor.ts";
import { startProbe } from "./probe.ts";
import { createConnectivityProbe } from "./connectivity-probe.ts";
import type { ConnectivityAddress } from "./connectivity-probe.ts";

type Told = Extract<Report, { outcome: unknown }>;
type Troubled = Extract<Report, { trouble: unknown }>;

const host = "127.0.0.1";
const everywhere = createEgress({ mode: "private", resolver: createResolver() });
/** As if the peers on this machine were out on the Internet. */
const asPublic: Egress = { ...everywhere, isPublic: () => true };

/** A probe at `ld` on the bus, and a way to ask it. */
function bench(
  options: {
    egress?: Egress;
    witnesses?: readonly ConnectivityAddress[];
    witnessEgress?: Egress;
    clock?: typeof systemClock;
    lag?: typeof noStalls;
    log?: Log;
    meter?: Meter;
  } = {},
) {
  const { egress = everywhere, witnessEgress = everywhere, clock = systemClock } = options;
  const { lag = noStalls, log = silentLog, meter = noMeter } = options;
  const bus = createMemoryBus();
  const witnesses = createConnectivityProbe(options.witnesses ?? [], {
    egress: witnessEgress,
    clock,
  });
  const location = { code: "ld", region: undefined } as const;
  startProbe({ bus, location, egress, witnesses, lag, clock, log, meter });
  const reports = new Map<string, (report: Report) => void>();
  bus.reports.subscribe((report) => reports.get(report.jobId)?.(report));
  let serial = 0;
  return (
    type: string,
    parameters: Job["parameters"],
    timeoutMs = TEST_DEADLINE_MS,
  ): Promise<Report> =>
    new Promise((resolve) => {
      const id = `job${(serial += 1)}`;
      reports.set(id, resolve);
      bus.jobs.send("ld", { id, checkId: "check", type, parameters, timeoutMs });
    });
}

function told(report: Report): Told {
  assert.ok("outcome" in report, JSON.stringify(report));
  return report;
}

function troubled(report: Report): Pick<Troubled, "trouble" | "message"> {
  assert.ok("trouble" in report, JSON.stringify(report));
  return report;
}

test("a job is carried out and reported with what the run took", async () => {
  await using peer = await tcpPeer(silent);
  const ask = bench();
  const { location, outcome, startOffsetMs, endOffsetMs, vouched } = told(
    await ask("PORT", { target: host, port: peer.port }),
  );
  assert.deepEqual([location, outcome.passed, startOffsetMs, vouched], ["ld", true, 0, false]);
  assert.ok(endOffsetMs > 0 && endOffsetMs < TEST_DEADLINE_MS);
  await waitFor("nothing is left open", () => peer.open() === 0);
});

test("a configuration that cannot run is final, with the parameter named", async () => {
  const ask = bench();
  const { outcome } = told(await ask("PORT", { target: host, port: "many" }));
  assert.deepEqual([outcome.passed, outcome.final], [false, true]);
  assert.match(outcome.message, /^port: /);
});

test("a target that policy refuses is blocked, which is no failure", async () => {
  const ask = bench();
  assert.equal(
    troubled(await ask("PORT", { target: "169.254.169.254", port: 80 })).trouble,
    "blocked",
  );
});

for (const [name, type] of [
  ["nobody knows", "NOSUCH"],
  ["no probe runs", "PUSH"],
] as const) {
  test(`a type that ${name} is broken`, async () => {
    const ask = bench();
    assert.equal(troubled(await ask(type, {})).trouble, "broken");
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
  test(`a run that ${name} is our own trouble, and its deadline goes with it`, async () => {
    const clock = fakeClock();
    const ask = bench({ egress: { ...everywhere, resolve }, clock });
    const { trouble, message } = troubled(await ask("PORT", { target: host, port: 80 }));
    assert.deepEqual([trouble, message], ["broken", "the probe failed: too many open files"]);
    assert.equal(clock.pending(), 0);
  });
}

test("a type that heeds its signal says in which phase the time ran out, and leaves nothing open", async () => {
  await using peer = await httpPeer(() => {});
  const ask = bench({ witnesses: [{ host, port: await closedPort() }] });
  const { outcome } = told(await ask("HTTP", { target: peer.url }, 150));
  assert.deepEqual(
    [outcome.reason, outcome.message],
    ["timeout", "Timeout waiting for the answer"],
  );
  await waitFor("nothing is left open", () => peer.open() === 0);
});

test("a run that ignores its signal is not waited for", async () => {
  const deaf: Egress = { ...everywhere, resolve: () => new Promise(() => {}) };
  const clock = fakeClock();
  const ask = bench({ egress: deaf, clock });
  let report: Report | undefined;
  void ask("PORT", { target: host, port: 80 }, 2000).then((found) => (report = found));
  await clock.advance(2249);
  assert.equal(report, undefined);
  await clock.advance(1);
  const { outcome, endOffsetMs } = told(await waitFor("a report", () => report));
  assert.deepEqual(
    [outcome.reason, outcome.message, endOffsetMs],
    ["timeout", "Timeout after 2 s", 2250],
  );
});

test("while no witness answers a silent public target proves nothing", async () => {
  await using target = await fullPeer();
  const ask = bench({ egress: asPublic, witnesses: [{ host, port: await closedPort() }] });
  const { trouble, message } = troubled(
    await ask("PORT", { target: host, port: target.port }, 100),
  );
  assert.equal(trouble, "offline");
  assert.match(message, /^no witness answers at ld: Timeout connecting/);
});

test("a witness that answers vouches for the failure", async () => {
  await using target = await fullPeer();
  await using witness = await tcpPeer(silent);
  const ask = bench({ egress: asPublic, witnesses: [{ host, port: await closedPort() }, witness] });
  const { outcome, vouched } = told(await ask("PORT", { target: host, port: target.port }, 100));
  assert.deepEqual([outcome.reason, vouched], ["timeout", true]);
});

test("how long the witnesses take is not the run's time", async () => {
  await using witness = await tcpPeer(silent);
  const clock = fakeClock();
  const unreachable = Object.assign(new Error("unreachable"), { code: "ENETUNREACH" });
  const ask = bench({
    egress: { ...asPublic, resolve: () => Promise.reject(unreachable) },
    witnesses: [witness],
    witnessEgress: {
      ...everywhere,
      async resolve(name, options) {
        await clock.advance(700);
        return everywhere.resolve(name, options);
      },
    },
    clock,
  });
  const { outcome, vouched, endOffsetMs } = told(await ask("PORT", { target: host, port: 80 }));
  assert.deepEqual([outcome.reason, vouched, endOffsetMs], ["unreachable", true, 0]);
});

test("private targets and passes ask no witness", async () => {
  await using target = await fullPeer();
  await using healthy = await tcpPeer(silent);
  await using witness = await tcpPeer(silent);
  const inside = bench({ witnesses: [witness] });
  const failure = told(await inside("PORT", { target: host, port: target.port }, 100));
  assert.deepEqual([failure.outcome.reason, failure.vouched], ["timeout", false]);
  const outside = bench({ egress: asPublic, witnesses: [witness] });
  const pass = told(await outside("PORT", { target: host, port: healthy.port }));
  assert.equal(pass.outcome.passed, true);
  assert.equal(witness.accepted(), 0);
});

test("a failure that only the target can cause asks no witness", async () => {
  await using witness = await tcpPeer(silent);
  const ask = bench({ egress: asPublic, witnesses: [witness] });
  const { outcome } = told(await ask("PORT", { target: host, port: await closedPort() }));
  assert.equal(outcome.reason, "refused");
  assert.equal(witness.accepted(), 0);
});

suite("a probe that was too busy", () => {
  test("reports no times, says so once a minute, and counts it", async () => {
    await using peer = await tcpPeer(silent);
    const events: string[] = [];
    const ask = bench({
      lag: { stalledSince: () => 40 },
      log: { ...silentLog, warn: (event) => events.push(event) },
      meter: { ...noMeter, count: (event) => events.push(`counted ${event}`) },
    });
    for (let run = 0; run < 2; run += 1) {
      const { outcome } = told(await ask("PORT", { target: host, port: peer.port }));
      assert.deepEqual(
        [outcome.passed, outcome.untimed, outcome.timings, outcome.runtimeMs],
        [true, true, undefined, undefined],
      );
    }
    assert.deepEqual(events, [
      "counted probe.untimed",
      "probe.event_loop_lag",
      "counted probe.untimed",
    ]);
  });

  test("does not call a target down that had less time than it was to have", async () => {
    await using peer = await fullPeer();
    const { port } = peer;
    for (const [stalledMs, isTrouble] of [
      [10, false],
      [100, true],
    ] as const) {
      const report = await bench({ lag: { stalledSince: () => stalledMs } })(
        "PORT",
        { target: host, port },
        300,
      );
      assert.equal(
        "trouble" in report ? report.trouble : undefined,
        isTrouble ? "busy" : undefined,
      );
    }
  });
});
