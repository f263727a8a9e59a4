import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

import { codeOf } from "../../src/kit/errors.ts";

/** A variable that everything inherits that a run of the tests starts. It is found by it even where its parent is gone, as servers in a group of their own may be. */
const MARK = "RUN_OF_THE_TESTS";

export interface StartedProcesses {
  /** Ends all of them at once, however they treat signals, and returns how many there were. */
  readonly end: () => number;
}

/** Follows what this process starts from now on. */
export function followStartedProcesses(): StartedProcesses {
  const id = randomUUID();
  process.env[MARK] = id;
  return {
    end() {
      const ended = new Set<number>();
      for (;;) {
        const found = startedWith(`${MARK}=${id}\0`).filter((pid) => !ended.has(pid));
        if (found.length === 0) return ended.size;
        // A stopped process starts no further one while the others are looked for.
        for (const pid of found) signal(pid, "SIGSTOP");
        for (const pid of found) signal(pid, "SIGKILL");
        for (const pid of found) ended.add(pid);
      }
    },
  };
}

/** The marked processes and all that they started with another environment. */
function startedWith(mark: string): readonly number[] {
  const parents = new Map<number, number>();
  const found = new Set<number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const pid = Number(name);
    const [, state, parent] = /\) (\w) (\d+) /.exec(contentOf(`/proc/${pid}/stat`)) ?? [];
    if (parent === undefined || state === "Z" || pid === process.pid) continue;
    parents.set(pid, Number(parent));
    if (`${contentOf(`/proc/${pid}/environ`)}\0`.includes(mark)) found.add(pid);
  }
  const isStarted = (pid: number | undefined): boolean =>
    pid !== undefined && (found.has(pid) || isStarted(parents.get(pid)));
  return [...parents.keys()].filter(isStarted);
}

/** Empty where the process is gone, or another user's. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(codeOf(error) ?? "")) return "";
    throw error;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
