import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

import { codeOf } from "../../../src/kit/errors.ts";

/**
 * Lowers the priority of attackers, which would have their own machines, so that their CPU use is not measured. If Linux groups processes by session (sched(7),
 * "The autogroup feature"), nice(2) applies within the session only, and the session has a separate value, so each caller needs its own session.
 */
export function lowerPriority(nice: number): void {
  setPriority(nice);
  try {
    writeFileSync("/proc/self/autogroup", String(nice));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
