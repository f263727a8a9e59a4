import { readFileSync } from "node:fs";

/** Common limit of POSIX systems, if the system does not report one. */
const COMMON_LIMIT = 1024;

/** How many descriptors this process may have open at once: Node raises the soft limit to the hard one when it starts. */
export function descriptorLimit(read = () => readFileSync("/proc/self/limits", "utf8")): number {
  try {
    const [, soft = ""] = /^Max open files +(\d+|unlimited)/m.exec(read()) ?? [];
    return soft === "unlimited" ? Infinity : Number(soft) || COMMON_LIMIT;
  } catch {
    return COMMON_LIMIT;
  }
}

/** An idle connection takes about 15 KB, so these take 60 MB. */
const USUAL_MOST = 4096;

/** How many connections the server may hold. Three quarters of the descriptors stay free for checks, alerts and the store; at least half, whatever is set. */
export function maxConnections(limit: number, set: number | undefined): number {
  return set === undefined
    ? Math.min(Math.floor(limit / 4), USUAL_MOST)
    : /* guard: descriptors that stay free = argument */ Math.min(set, Math.floor(limit / 2));
}
