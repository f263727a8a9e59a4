import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { compileCache } from "../fixture.ts";

/** As `watchpost` starts Node and glibc. */
const FLAGS = ["--heap-growing-percent=30", "--max-semi-space-size=8"];
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "65536",
  NODE_COMPILE_CACHE: compileCache,
};

/** Has a fresh process carry out one task, and gives what it found. */
export async function measuredIn<Found>(file: string, task: object): Promise<Found> {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: FLAGS,
    env: { ...process.env, ...ENVIRONMENT },
  });
  const died = once(child, "exit").then(([how]) => {
    throw new Error(`${file} ended with ${how}`);
  });
  died.catch(() => {});
  child.send(task);
  const [found] = await Promise.race([once(child, "message"), died]);
  return found;
}
