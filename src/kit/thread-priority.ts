import { constants, getPriority, setPriority } from "node:os";

/**
 * Lets threads of normal priority run before this one, by steps of nice(2). Linux has a priority per thread; elsewhere it belongs to the process and is not
 * changed.
 */
export function lowerThreadPriority(by: number): void {
  if (process.platform !== "linux") return;
  setPriority(Math.min(getPriority() + by, constants.priority.PRIORITY_LOW));
}
