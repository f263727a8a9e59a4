import { readFileSync } from "node:fs";

import { STEPS, THREAD_ID } from "./protocol.ts";

/** Distinguishes a thread that computes without an end from one that waits for its turn on a busy machine. */
export interface Watchdog {
  /** Called at equal intervals; `silent` if the thread may hang, and `hung` if it does. */
  readonly look: () => "going" | "silent" | "hung";
}

export const LOOK_INTERVAL_MS = 100;
/** CPU time without progress after which a thread counts as hung: three times that of a check's slowest operation. */
const HUNG_CPU_MS = 600;
/** Leaves a spare thread the time to start. */
const SILENT_CPU_MS = 200;
/**
 * Inspections without progress after which a thread counts as hung regardless of CPU time. Inspections are counted because a suspended main thread makes none.
 */
const HUNG_LOOKS = 50;
const SILENT_LOOKS = HUNG_LOOKS / 2;

export function createWatchdog(
  progress: Int32Array,
  cpuMs: (threadId: number) => number = threadCpuMs,
): Watchdog {
  let stepsBefore = 0;
  let cpuBefore = 0;
  let silentLooks = 0;
  return {
    look() {
      const steps = Atomics.load(progress, STEPS);
      if (steps !== stepsBefore) {
        stepsBefore = steps;
        silentLooks = 0;
        return "going";
      }
      silentLooks += 1;
      const cpu = cpuMs(Atomics.load(progress, THREAD_ID));
      if (silentLooks === 1) cpuBefore = cpu;
      const usedMs = cpu - cpuBefore;
      // guard: threads that hang
      if (usedMs >= HUNG_CPU_MS || silentLooks >= HUNG_LOOKS) return "hung";
      return usedMs >= SILENT_CPU_MS || silentLooks >= SILENT_LOOKS ? "silent" : "going";
    },
  };
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** Returns the user and system time of a thread of this process; 0 if unavailable. */
function threadCpuMs(threadId: number): number {
  try {
    const [, fields = ""] = readFileSync(`/proc/self/task/${threadId}/stat`, "utf8").split(") ");
    const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
    return (user + system) * TICK_MS;
  } catch {
    return 0;
  }
}
