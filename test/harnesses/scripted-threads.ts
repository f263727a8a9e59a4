import { createOwnListener } from "../../src/kit/net/own-listener.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { silentLog, type Log } from "../../src/kit/log.ts";
import { noMeter, type Meter } from "../../src/kit/meter.ts";
import { createProbeThreads, type ProbeThreads } from "../../src/probe/probe-threads.ts";
import { targetBytesOf } from "../../src/probe/target-memory.ts";
import { contractLocation } from "../contracts/bus.ts";
import { noHostLimits } from "../../src/kit/concurrency/host-limiter.ts";

interface Options {
  readonly threads?: number;
  readonly log?: Log;
  readonly meter?: Meter;
}

/** Threads whose handlers do what the type of a job says. */
export function scriptedThreads({
  threads = 1,
  log = silentLog,
  meter = noMeter,
}: Options = {}): ProbeThreads {
  return createProbeThreads({
    module: new URL("scripted-probe-worker.ts", import.meta.url),
    options: {
      locations: [contractLocation],
      connectivityAddresses: [],
      addressLimits: noHostLimits,
      targetBytes: targetBytesOf(1),
      egress: "private",
      ownPort: createOwnListener().port,
    },
    threads,
    clock: systemClock,
    log,
    meter,
  });
}
