import assert from "node:assert/strict";
import test from "node:test";

import { isInSandbox, runInSandbox } from "../../test/e2e/sandbox.ts";
import { shell } from "../../test/system-tools.ts";
import type { Report } from "../bus/bus.ts";
import { sleep, systemClock as clock } from "../kit/clock.ts";
import { noHostLimits } from "../kit/concurrency/host-limiter.ts";
import { silentLog as log } from "../kit/log.ts";
import { noMeter as meter } from "../kit/meter.ts";
import { createEgress } from "../kit/net/egress.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { noStalls as eventLoop } from "../kit/time/event-loop-monitor.ts";
import { createLocationHandlers } from "./location-handlers.ts";
import { createTargetMemory } from "./target-memory.ts";

/** An address behind the link that no machine has. */
const TARGET = "10.71.0.3";
const TIMEOUT_MS = 2000;
const BACK_AFTER_MS = 1500;

if (isInSandbox) await inSandbox();
else
  test("a run has no verdict if the link to its target comes back just before its end", () =>
    runInSandbox(import.meta.filename));

async function inSandbox(): Promise<void> {
  await shell(
    // The links that the system lists are those of the network in which it was mounted.
    "mount -t sysfs sysfs /sys",
    "ip link add near type veth peer name far",
    "ip address add 10.71.0.1/29 dev near",
    "ip link set near up",
    "ip link set far up",
  );
  const location = { code: "ld", region: undefined };
  const handlers = createLocationHandlers({
    locations: [location],
    connectivityAddresses: [],
    addressLimits: noHostLimits,
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    eventLoop,
    memory: createTargetMemory(clock),
    clock,
    log,
    meter,
    stopping: new AbortController().signal,
  }).get(location.code);
  assert.ok(handlers);
  const run = (): Promise<Report> =>
    handlers.runJob({
      id: "job",
      checkId: "check",
      accountId: "alice",
      type: "PORT",
      parameters: { target: TARGET, port: 80 },
      timeoutMs: TIMEOUT_MS,
    });

  const whole = await run();
  assert.equal("outcome" in whole && whole.outcome.reason, "timeout", JSON.stringify(whole));

  await shell("ip link set far down");
  const running = run();
  await sleep(clock, BACK_AFTER_MS);
  await shell("ip link set far up");
  assert.deepEqual(await running, {
    error: "offline",
    message:
      "location ld is offline (the link near of this machine was down meanwhile): Timeout connecting",
  });
}
