import { systemClock, type Timer } from "../src/kit/clock.ts";
import type { RunningMonitor } from "./monitors/monitor.ts";
import { costOf } from "./monitors/process-tree.ts";
import { times } from "./judge/grades.ts";

/** Resources used by a monitor. */
export interface Cost {
  readonly cpuSecondsPerMinute: number;
  /** The median over the run, a shared page in parts. */
  readonly memoryBytes: number;
}

const EVERY_MS = 5000;
const MINUTE_MS = 60_000;

/** Measures a monitor's processes periodically; restarted ones count from their start. */
export function meterCost({ pids }: RunningMonitor): Disposable & { readonly cost: () => Cost } {
  const beganAt = systemClock.monotonic();
  const memory: number[] = [];
  let cpuSeconds = 0;
  let last = costOf(pids()).cpuSeconds;
  let timer: Timer | undefined;
  const measure = (): void => {
    const now = costOf(pids());
    cpuSeconds += now.cpuSeconds < last ? now.cpuSeconds : now.cpuSeconds - last;
    last = now.cpuSeconds;
    memory.push(now.memoryBytes);
    timer = systemClock.setTimer(measure, EVERY_MS);
  };
  measure();
  return {
    cost: () => ({
      cpuSecondsPerMinute: (cpuSeconds * MINUTE_MS) / (systemClock.monotonic() - beganAt),
      memoryBytes: times(memory).p50 ?? 0,
    }),
    [Symbol.dispose]: () => timer?.cancel(),
  };
}
