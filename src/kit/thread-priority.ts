import { constants, getPriority, setPriority } from "node:os";

/**
 * Lets all threads of normal priority compute before this one, by so many steps of nice(2). Linux keeps a priority for each
 * thread; elsewhere it belongs to the process, and stays as it is.
 */
export function lowerThreadPriority(by: number): void {
  if (process.platform !== "linux") return;
  setPriority(Math.min(getPriority() + by, constants.priority.PRIORITY_LOW));
}
