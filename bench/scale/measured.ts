import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { pause } from "../worker.ts";

const MAX_LATENESSES = 1_000_000;

export interface LatenessFound {
  readonly latenessP50: number;
  readonly latenessP99: number;
  readonly latenessMost: number;
}

/** How late ticks began, in ms. */
export interface Latenesses {
  readonly add: (ms: number) => void;
  readonly found: () => LatenessFound;
}

export function latenesses(): Latenesses {
  const all = new Float64Array(MAX_LATENESSES);
  let count = 0;
  return {
    add(ms) {
      all[count] = ms;
      count += 1;
    },
    found() {
      const sorted = all.subarray(0, count).toSorted();
      const quantile = (share: number): number => sorted[Math.floor((count - 1) * share)] ?? 0;
      return { latenessP50: quantile(0.5), latenessP99: quantile(0.99), latenessMost: quantile(1) };
    },
  };
}

/** Returns the process's memory on and off the heap, without garbage. */
export async function heapInUse(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  collectGarbage();
  // Objects with finalizers are freed by the second collection.
  await pause(0.1);
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export function peakResident(): number {
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kib) * 1024;
}

/** Carries out the one task that this process is sent, and ends. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a process is sent has no type of its own
export function serveOnce<Task>(measure: (task: Task) => Promise<object>): void {
  process.once("message", (task: Task) => {
    void measure(task).then(
      (found) => process.send?.(found, () => process.exit(0)),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
