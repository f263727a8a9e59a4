import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

import { codeOf } from "../../../src/kit/errors.ts";

/**
 * Lets the program compute first: attackers have machines of their own, and what they compute must not be what is measured. Where Linux
 * groups processes by session (sched(7), "The autogroup feature"), nice(2) counts within the session alone, and the session has a value of
 * its own: whoever calls this needs one, too.
 */
export function lowerPriority(nice: number): void {
  setPriority(nice);
  try {
    writeFileSync("/proc/self/autogroup", String(nice));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
