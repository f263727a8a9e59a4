import assert from "node:assert/strict";
import { test } from "node:test";

import { contractLocation } from "../../test/contracts/bus.ts";
import { scriptedThreads } from "../../test/harnesses/scripted-threads.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import type { Job, Report } from "../bus/bus.ts";
import { systemClock } from "../kit/clock.ts";
import { hash32 } from "../kit/hash.ts";
import { createOwnListener } from "../kit/net/own-listener.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createProbeThreads, probeWorker } from "./probe-threads.ts";
import { targetBytesOf } from "./target-memory.ts";
import { noHostLimits } from "../kit/concurrency/host-limiter.ts";

function startThreads(threads: number) {
  const events: unknown[] = [];
  const pool = scriptedThreads({
    threads,
    meter: { ...noMeter, count: (event, labels) => void events.push([event, labels]) },
  });
  const { runJob } = pool.handlersOf(contractLocation);
  let serial = 0;
  return {
    ...pool,
    /** How the threads ended. */
    ends: () => events.flatMap((entry) => (isEnd(entry) ? [entry[1].reason] : [])),
    run: (type: string, checkId: string): Promise<Report> =>
      runJob(jobOf(`${checkId}.rev.${(serial += 1)}.1`, type, checkId)),
    [Symbol.asyncDispose]: pool.close,
  };
}

function isEnd(entry: unknown): entry is readonly [string, { readonly reason: string }] {
  return Array.isArray(entry) && entry[0] === "probe.thread_ended";
}

function jobOf(id: string, type: string, checkId: string): Job {
  return { id, checkId, accountId: "alice", type, parameters: { key: 20 }, timeoutMs: 5000 };
}

/** A check whose jobs go to that one of two threads. */
function checkOf(thread: number, prefix: string): string {
  for (let number = 0; ; number += 1)
    if (hash32(`${prefix}${number}`) % 2 === thread) return `${prefix}${number}`;
}

const lost = "the thread of the probe ended while the check ran";

for (const [type, reason] of [
  ["spin", "hung"],
  ["grow", "out_of_memory"],
  ["throw", "failed"],
] as const) {
  test(`a thread that is ${reason} is replaced, and what it ran is our own trouble, in no other thread`, async () => {
    await using threads = startThreads(2);
    await waitFor("both threads", () => threads.ready() === 2);
    const other = threads.run("hold", checkOf(1, "other"));
    const neighbour = threads.run("hold", checkOf(0, "neighbour"));
    const report = await threads.run(type, checkOf(0, "evil"));
    assert.deepEqual(report, { error: "internal_error", message: lost });
    assert.deepEqual(await neighbour, report);
    assert.deepEqual(threads.ends(), [reason]);
    assert.ok("outcome" in (await threads.run("pass", checkOf(0, "next"))));
    await threads.run("release", checkOf(1, "release"));
    assert.ok("outcome" in (await other));
    assert.equal(threads.trouble(), undefined);
  });
}

test("a check that was under way in three threads that ended runs alone, and one that ends a thread alone is not run for a while", async () => {
  await using threads = startThreads(1);
  // One that ends before it is heard of is replaced after a second.
  const aThread = (): Promise<true> => waitFor("a thread", () => threads.ready() === 1);
  for (let time = 0; time < 3; time += 1) {
    await aThread();
    await threads.run("throw", "evil");
  }
  await aThread();
  const neighbour = threads.run("hold", "neighbour");
  const alone = await threads.run("throw", "evil");
  assert.deepEqual(alone, { error: "internal_error", message: lost });
  const refused = await threads.run("pass", "evil");
  assert.ok("error" in refused);
  assert.match(refused.message, /^this check ended the thread that it alone ran in \(times: 1\)/);
  await threads.run("release", "another");
  const held = await neighbour;
  assert.deepEqual(threads.ends(), ["failed", "failed", "failed", "failed"]);
  assert.ok("outcome" in held, JSON.stringify(held));
});

test("a thread that computes without an end does not delay the close", async () => {
  const threads = startThreads(1);
  await waitFor("the thread", () => threads.ready() === 1);
  const report = threads.run("spin", "evil");
  await new Promise(setImmediate);
  await threads.close();
  assert.ok("error" in (await report));
  assert.deepEqual(threads.ends(), [], "nobody replaced it");
});

test("what a thread logs, counts and observes reaches the log and the metrics of the process", async () => {
  const reported: unknown[] = [];
  const threads = createProbeThreads({
    module: probeWorker,
    options: {
      locations: [contractLocation],
      connectivityAddresses: [],
      addressLimits: noHostLimits,
      targetBytes: targetBytesOf(1),
      egress: "public",
      ownPort: createOwnListener().port,
    },
    threads: 1,
    clock: systemClock,
    log: { ...silentLog, error: (event) => void reported.push(event) },
    meter: {
      count: (event, labels) => void reported.push([event, labels]),
      observe: (event, _, labels) => void reported.push([event, labels]),
    },
  });
  const { runJob } = threads.handlersOf(contractLocation);
  const parameters = { target: "name.invalid" };
  const found = await runJob({ ...jobOf("a.1.1.1", "PING", "a"), parameters });
  assert.ok("outcome" in found && found.outcome.reason === "dns", JSON.stringify(found));
  const blocked = await runJob({
    ...jobOf("b.1.1.1", "PORT", "b"),
    parameters: { target: "127.0.0.1", port: 1 },
  });
  assert.ok("error" in blocked && blocked.error === "blocked");
  await threads.close();
  const known = reported.filter((one) => !JSON.stringify(one).includes("stalled"));
  assert.deepEqual(known.at(-1), ["probe.job_error", { location: "ld", error: "blocked" }]);
});

test("a thread knows where the process listens, also where that began later, and calls no API there", async () => {
  const listener = createOwnListener();
  const threads = createProbeThreads({
    module: probeWorker,
    options: {
      locations: [contractLocation],
      connectivityAddresses: [],
      addressLimits: noHostLimits,
      targetBytes: targetBytesOf(1),
      egress: "private",
      ownPort: listener.port,
    },
    threads: 1,
    clock: systemClock,
    log: silentLog,
    meter: noMeter,
  });
  const { runJob } = threads.handlersOf(contractLocation);
  await waitFor("the thread", () => threads.ready() === 1);
  listener.listensAt(4848);
  const report = await runJob({
    ...jobOf("a.1.1.1", "HTTP", "a"),
    parameters: { target: "http://127.0.0.1:4848/api/1/checks" },
  });
  await threads.close();
  assert.ok("error" in report && report.error === "blocked", JSON.stringify(report));
});
