import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { noHostLimits } from "../kit/concurrency/host-limiter.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createEgress } from "../kit/net/egress.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { noStalls } from "../kit/time/event-loop-monitor.ts";
import { createLocationHandlers } from "./location-handlers.ts";
import { createTargetMemory } from "./target-memory.ts";

test("of many jobs that come at once a few begin in a turn of the event loop, in whatever thread", async () => {
  const clock = fakeClock();
  let begun = 0;
  const handlers = createLocationHandlers({
    locations: [{ code: "aa", region: undefined }],
    connectivityAddresses: [],
    addressLimits: noHostLimits,
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    eventLoop: noStalls,
    memory: createTargetMemory(clock),
    clock,
    log: silentLog,
    meter: { ...noMeter, count: () => void (begun += 1) },
    stopping: new AbortController().signal,
  }).get("aa");
  assert.ok(handlers);
  const job = { accountId: "alice", type: "none of ours", parameters: {}, timeoutMs: 5000 };
  const all = Array.from({ length: 100 }, (_, index) =>
    handlers.runJob({ ...job, id: `${index}.1.1.1`, checkId: String(index) }),
  );
  await setImmediate();
  assert.ok(begun > 0 && begun <= 16, String(begun));
  await Promise.all(all);
  assert.equal(begun, 100);
});
