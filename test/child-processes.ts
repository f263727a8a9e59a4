import { readFileSync } from "node:fs";

import { codeOf } from "../src/kit/errors.ts";

/** The processes that a process started and that still run. */
export function childrenOf(pid: number): readonly number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.split(" ").filter(Boolean).map(Number);
}

/** Also where nobody asks for its exit code, as the first process of a container may not: it is a zombie then (proc_pid_stat(5)). */
export function hasEnded(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.startsWith("Z") === true;
  } catch (error) {
    // It may go while it is read.
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ESRCH") return true;
    throw error;
  }
}
