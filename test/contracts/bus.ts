import assert from "node:assert/strict";
import { test } from "node:test";

import {
  hints,
  type Bus,
  type Job,
  type LocationHandlers,
  type Report,
  type Requests,
} from "../../src/bus/bus.ts";
import { passed } from "../../src/domain/run/outcome.ts";
import type { Location } from "../../src/domain/location.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { silentLog, type Log } from "../../src/kit/log.ts";
import { noMeter, type Meter } from "../../src/kit/meter.ts";
import { fakeClock, type FakeClock } from "../time/fake-clock.ts";
import { waitFor } from "../time/wait-for.ts";

/** Dependencies of a bus, with the clock of its deadlines. */
export interface BusDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** A bus, with the location `ld` served by `createScriptedHandlers()`, and live. */
export type OpenBus = (deps: BusDeps) => Promise<Bus> | Bus;

export const contractLocation: Location = { code: "ld", region: "eur" };

const report: Report = {
  startOffsetMs: 1,
  endOffsetMs: 20,
  outcome: passed("Connected", "it answers"),
  connectivityConfirmed: true,
};

/**
 * Handlers that do what the type of a request says, so that they can be at the other end of any transport: `pass` and `fail` at
 * once, `hold` until a `release` with the same parameters.
 */
export function createScriptedHandlers(): LocationHandlers {
  const held = new Map<string, () => void>();
  const follow = async ({ type, parameters }: Pick<Job, "type" | "parameters">): Promise<void> => {
    const key = JSON.stringify(parameters);
    if (type === "fail") throw new Error("out of memory");
    if (type === "hold") await new Promise<void>((resolve) => held.set(key, resolve));
    if (type === "release") held.get(key)?.();
  };
  return {
    async runJob(job) {
      await follow(job);
      return { ...report, endOffsetMs: Number(job.parameters.key ?? 20) };
    },
    async runDiagnostics(request) {
      await follow(request);
      return [{ tool: "lookup", about: "host", text: String(request.parameters.key) }];
    },
  };
}

/** Contract of every bus, whatever its transport. */
export function busContract(open: OpenBus): void {
  testRequests(open);
  testEnds(open);
  testChanges(open);
}

interface Opened {
  readonly bus: Bus;
  readonly clock: FakeClock;
  /** Names of what was counted and logged. */
  readonly events: readonly string[];
  readonly ask: (
    type: string,
    key?: number,
    options?: { readonly location?: string; readonly signal?: AbortSignal },
  ) => Promise<Report>;
}

async function start(open: OpenBus): Promise<Opened> {
  const clock = fakeClock();
  const events: string[] = [];
  const bus = await open({
    clock,
    log: { ...silentLog, error: (event) => void events.push(event) },
    meter: { ...noMeter, count: (event) => void events.push(event) },
  });
  let serial = 0;
  return {
    bus,
    clock,
    events,
    ask(type, key = 0, { location = contractLocation.code, signal } = {}) {
      const job = jobOf(`job${(serial += 1)}`, type, key);
      return bus.jobs.request(location, job, { timeoutMs: 1000, ...(signal && { signal }) });
    },
  };
}

function jobOf(id: string, type: string, key: number): Job {
  return { id, checkId: "check", accountId: "alice", type, parameters: { key }, timeoutMs: 500 };
}

function testRequests(open: OpenBus): void {
  test("a location that is served is live", async () => {
    const { bus } = await start(open);
    const live = bus.presence.live().map(({ code, region }) => ({ code, region }));
    assert.deepEqual(live, [contractLocation]);
    await bus.close();
  });

  test("each job brings its own report, whatever the order of the replies", async () => {
    const { bus, ask, clock } = await start(open);
    const first = ask("hold", 1);
    const second = ask("hold", 2);
    assert.deepEqual(await ask("pass", 3), { ...report, endOffsetMs: 3 });
    await ask("release", 2);
    assert.deepEqual(await second, { ...report, endOffsetMs: 2 });
    await ask("release", 1);
    assert.deepEqual(await first, { ...report, endOffsetMs: 1 });
    assert.equal(clock.pending(), 0, "no deadline is left over");
    await bus.close();
  });

  test("two jobs of one id are two jobs", async () => {
    const { bus } = await start(open);
    const options = { timeoutMs: 1000 };
    const [one, other] = await Promise.all(
      [4, 5].map((key) => bus.jobs.request("ld", jobOf("same", "pass", key), options)),
    );
    assert.deepEqual(
      [one, other],
      [4, 5].map((endOffsetMs) => ({ ...report, endOffsetMs })),
    );
    await bus.close();
  });

  test("a location that fails to run a job is a report with an error", async () => {
    const { bus, ask, clock } = await start(open);
    assert.deepEqual(await ask("fail"), { error: "internal_error", message: "out of memory" });
    assert.equal(clock.pending(), 0);
    await bus.close();
  });

  test("a location that is not there is a report with an error, at its deadline at the latest", async () => {
    const { bus, ask, clock } = await start(open);
    const asked = ask("pass", 0, { location: "nowhere" });
    await clock.advance(1000);
    assert.deepEqual(await asked, unanswered("nowhere"));
    await bus.close();
  });

  test("diagnostics bring their findings", async () => {
    const { bus } = await start(open);
    const found = await bus.diagnostics.request("ld", jobOf("", "pass", 7), { timeoutMs: 1000 });
    assert.deepEqual(found, [{ tool: "lookup", about: "host", text: "7" }]);
    await bus.close();
  });

  for (const [name, location, type] of [
    ["a location that is not there", "nowhere", "pass"],
    ["a location that does not reply in time", "ld", "hold"],
    ["a location that fails", "ld", "fail"],
  ] as const) {
    test(`diagnostics reject for ${name}`, async () => {
      const { bus, clock } = await start(open);
      const found = bus.diagnostics.request(location, jobOf("", type, 0), { timeoutMs: 1000 });
      const rejected = assert.rejects(found, { code: "unavailable" });
      await clock.advance(1000);
      await rejected;
      assert.equal(clock.pending(), 0);
      await bus.close();
    });
  }
}

function testEnds(open: OpenBus): void {
  test("after its deadline a job is unanswered, and its report is counted as late and dropped", async () => {
    const { bus, ask, clock, events } = await start(open);
    const reports: Report[] = [];
    void ask("hold", 1).then((found) => reports.push(found));
    await clock.advance(999);
    assert.deepEqual(reports, []);
    await clock.advance(1);
    assert.deepEqual(reports, [unanswered("ld")]);
    assert.deepEqual(events, []);
    await ask("release", 1);
    await waitFor("it is counted", () => events.length > 0);
    assert.deepEqual([events, reports.length], [["bus.late_report"], 1]);
    await bus.close();
  });

  for (const [kind, requestsOf] of [
    ["a job", ({ jobs }: Bus): Requests<Job, unknown> => jobs],
    ["diagnostics", ({ diagnostics }: Bus): Requests<Job, unknown> => diagnostics],
  ] as const) {
    test(`the signal ends the wait for ${kind}, with its reason`, async () => {
      const { bus, clock } = await start(open);
      const controller = new AbortController();
      const reason = new Error("the check was changed");
      const options = { timeoutMs: 1000, signal: controller.signal };
      const rejected = assert.rejects(
        requestsOf(bus).request("ld", jobOf("one", "hold", 1), options),
        reason,
      );
      controller.abort(reason);
      await rejected;
      await assert.rejects(requestsOf(bus).request("ld", jobOf("two", "pass", 1), options), reason);
      assert.equal(clock.pending(), 0);
      await bus.close();
    });
  }

  test("the close ends what is under way, and a closed bus has no locations", async () => {
    const { bus, ask, clock } = await start(open);
    const job = ask("hold", 1);
    const rejected = assert.rejects(
      bus.diagnostics.request("ld", jobOf("", "hold", 2), { timeoutMs: 1000 }),
      { code: "unavailable" },
    );
    await bus.close();
    assert.ok("error" in (await job));
    await rejected;
    assert.deepEqual(bus.presence.live(), []);
    const after = ask("pass");
    await clock.advance(1000);
    assert.ok("error" in (await after));
    assert.equal(clock.pending(), 0);
  });
}

function testChanges(open: OpenBus): void {
  const change = { accountId: "alice", checkNo: 7 };

  test("each subscriber receives each change in order, though another one throws", async () => {
    const { bus, events } = await start(open);
    const received: unknown[] = [];
    bus.changes.subscribe(() => {
      throw new Error("broken");
    });
    bus.changes.subscribe((each) => received.push(each));
    bus.changes.publish(change);
    bus.changes.publish("everything");
    await waitFor("both are received", () => received.length === 2);
    assert.deepEqual(received, [change, "everything"]);
    assert.deepEqual(events, ["bus.subscriber_failed", "bus.subscriber_failed"]);
    await bus.close();
  });

  test("a hint is received by those who wait for that one", async () => {
    const { bus } = await start(open);
    const received: string[] = [];
    for (const hint of hints) bus.hints.subscribe(hint, () => received.push(hint));
    bus.hints.publish("alerts");
    bus.hints.publish("changes");
    assert.deepEqual(received, ["alerts", "changes"]);
    await bus.close();
    bus.hints.publish("alerts");
    assert.equal(received.length, 2, "after the close none is");
  });

  test("after the close no change is received", async () => {
    const { bus, clock } = await start(open);
    const received: unknown[] = [];
    bus.changes.subscribe((each) => received.push(each));
    await bus.close();
    bus.changes.publish(change);
    await clock.advance(1000);
    assert.deepEqual(received, []);
  });
}

function unanswered(location: string): Report {
  return { error: "unanswered", message: `location ${location} did not answer` };
}
