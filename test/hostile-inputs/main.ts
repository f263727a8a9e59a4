import { randomInt } from "node:crypto";

import { costlyRequests, costlyTexts, costlyValues } from "./run.ts";

/** `node test/hostile-inputs/main.ts 100 [seed]`: like the tests, with this many times as many inputs. */
const [, , times = "100", seed = String(randomInt(2 ** 31))] = process.argv;
const run = { seed: Number(seed), times: Number(times) };

process.stdout.write(`seed ${seed}\n`);
for (const costly of [costlyTexts, costlyValues, costlyRequests])
  for (const found of await costly(run)) {
    process.stdout.write(`${found}\n`);
    process.exitCode = 1;
  }
