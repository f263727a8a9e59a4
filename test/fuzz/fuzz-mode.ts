import { randomInt } from "node:crypto";
import { test } from "node:test";

import type { CompatibilityMode } from "../../src/domain/account/token.ts";
import { runAll } from "./run.ts";

/** Many more: `node test/fuzz/main.ts 100000 [seed]`. */
const REQUESTS = 1500;

/** A file for each mode, so that they run at once. */
export function fuzzMode(mode: CompatibilityMode): void {
  test(`whatever is asked in ${mode} mode is answered as documented, and strangers see and change nothing`, async (context) => {
    const seed = randomInt(2 ** 31);
    context.diagnostic(`seed ${seed}`);
    const tally = await runAll(mode, { requests: REQUESTS, seed });
    context.diagnostic(JSON.stringify(countsOf([...tally.values()])));
  });
}

function countsOf(tallies: readonly ReadonlyMap<number, number>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [status, times] of tallies.flatMap((tally) => [...tally]))
    counts[status] = (counts[status] ?? 0) + times;
  return counts;
}
