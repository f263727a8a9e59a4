import { createMemoryBus } from "../../src/bus/memory-bus.ts";
import type { Bus } from "../../src/bus/bus.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";

/** A memory bus that logs and counts nothing. */
export function quietBus(clock: Clock): Bus {
  return createMemoryBus({ clock, log: silentLog, meter: noMeter });
}
