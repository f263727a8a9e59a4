import { randomInt } from "node:crypto";

import { runAll } from "./run.ts";

/** `node test/fuzz/main.ts 100000 [seed]`: like the tests, with new servers until this many requests were sent. */
const [, , count = "100000", start = String(randomInt(2 ** 31))] = process.argv;
const AT_A_TIME = 3000;

for (let seed = Number(start), sent = 0; sent < Number(count); seed += 100) {
  for (const mode of ["standard", "legacy"] as const) {
    process.stdout.write(`${sent} sent; seed ${seed} in ${mode} mode\n`);
    const tally = await runAll(mode, { requests: AT_A_TIME, seed });
    for (const statuses of tally.values())
      sent += statuses.values().reduce((sum, times) => sum + times, 0);
  }
}
