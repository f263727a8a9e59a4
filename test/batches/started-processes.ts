import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

import { codeOf } from "../../src/kit/errors.ts";

/** A variable that everything inherits that a run of the tests starts. It is found by it even where its parent is gone, as servers in a group of their own may be. */
const MARK = "RUN_OF_THE_TESTS";

export interface StartedProcesses {
  /** Ends all of them at once, however they treat signals, and returns how many there were. */
  readonly end: () => number;
  /** Ends those that run a file, with all that they started. */
  readonly endOf: (file: string) => number;
  /** Asks those that run a file for `describeProcess` of the hook, and gives the commands of what they started. */
  readonly askOf: (file: string) => readonly string[];
}

/** Follows what this process starts from now on. */
export function followStartedProcesses(): StartedProcesses {
  const id = randomUUID();
  process.env[MARK] = id;
  const isMarked = (pid: number): boolean =>
    `${contentOf(`/proc/${pid}/environ`)}\0`.includes(`${MARK}=${id}\0`);
  const runs = (pid: number, file: string): boolean =>
    contentOf(`/proc/${pid}/cmdline`).split("\0").includes(file) && isMarked(pid);
  return {
    end: () => endAll(() => startedBy(isMarked)),
    endOf: (file) => endAll(() => startedBy((pid) => runs(pid, file))),
    askOf(file) {
      const [asked = [], others = []] = [true, false].map((isFirst) =>
        startedBy((pid) => runs(pid, file)).filter((pid) => runs(pid, file) === isFirst),
      );
      for (const pid of asked) signal(pid, "SIGURG");
      return others.map((pid) => contentOf(`/proc/${pid}/cmdline`).split("\0").join(" ").trim());
    },
  };
}

function endAll(find: () => readonly number[]): number {
  const stopped = new Set<number>();
  for (;;) {
    const found = find().filter((pid) => !stopped.has(pid));
    if (found.length === 0) break;
    // A stopped process starts no further one, and its children stay its own, while the others are looked for.
    for (const pid of found) signal(pid, "SIGSTOP");
    for (const pid of found) stopped.add(pid);
  }
  for (const pid of stopped) signal(pid, "SIGKILL");
  return stopped.size;
}

/** These processes and all that they started, with another environment too. */
function startedBy(isFirst: (pid: number) => boolean): readonly number[] {
  const parents = new Map<number, number>();
  const found = new Set<number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const pid = Number(name);
    const [, state, parent] = /\) (\w) (\d+) /.exec(contentOf(`/proc/${pid}/stat`)) ?? [];
    if (parent === undefined || state === "Z" || pid === process.pid) continue;
    parents.set(pid, Number(parent));
    if (isFirst(pid)) found.add(pid);
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
