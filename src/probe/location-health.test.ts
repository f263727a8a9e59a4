import assert from "node:assert/strict";
import { test } from "node:test";

import { drainEventLoop, fakeClock } from "../../test/time/fake-clock.ts";
import type { Report } from "../bus/bus.ts";
import type { Log } from "../kit/log.ts";
import { createLocationHealth, type LocationTrouble } from "./location-health.ts";

const location = { code: "ld", region: undefined } as const;
const well = { location: "ld", isOnline: true, resolverAnswers: true };
const job = {
  id: "job",
  checkId: "check",
  accountId: "alice",
  type: "PORT",
  parameters: {},
  timeoutMs: 1000,
};

function scene() {
  const clock = fakeClock();
  const over = new Set<LocationTrouble>();
  const events: unknown[] = [];
  const note = (event: string, fields?: object): void => void events.push([event, fields]);
  const log: Log = { info: note, warn: note, error: note };
  const health = createLocationHealth({
    clock,
    log,
    isOver: (trouble) => Promise.resolve(over.has(trouble)),
  });
  const report = async (error: Extract<Report, { error: unknown }>["error"]): Promise<void> => {
    const handlers = health.watched(location, {
      runJob: async () => ({ error, message: "" }),
      runDiagnostics: async () => [],
    });
    assert.deepEqual(await handlers.runJob(job), { error, message: "" });
  };
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await drainEventLoop();
  };
  return { clock, health, over, events, report, pass };
}

test("a location is well until a report says that it is not", async () => {
  const { clock, health, report } = scene();
  assert.deepEqual(health.stateOf(location), well);
  for (const error of ["busy", "internal_error", "blocked"] as const) await report(error);
  assert.deepEqual([health.stateOf(location), clock.pending()], [well, 0]);
  await report("no_resolver");
  assert.deepEqual(health.stateOf(location), { ...well, resolverAnswers: false });
  await report("offline");
  assert.deepEqual(health.stateOf(location), {
    location: "ld",
    isOnline: false,
    resolverAnswers: false,
  });
});

test("a trouble lasts until a look finds it over, which is logged", async () => {
  const { clock, health, over, events, report, pass } = scene();
  await report("no_resolver");
  await pass(5000);
  assert.equal(health.stateOf(location).resolverAnswers, false);
  over.add("no_resolver");
  await pass(5000);
  assert.deepEqual([health.stateOf(location), clock.pending()], [well, 0]);
  assert.deepEqual(events, [["probe.location_recovered", { location: "ld", from: "no_resolver" }]]);
});

test("a trouble that no report said for two minutes is forgotten", async () => {
  const { health, report, pass } = scene();
  await report("offline");
  for (let seconds = 0; seconds < 120; seconds += 5) await pass(5000);
  assert.equal(health.stateOf(location).isOnline, false);
  await pass(5000);
  assert.equal(health.stateOf(location).isOnline, true);
});
