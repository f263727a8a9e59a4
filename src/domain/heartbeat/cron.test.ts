import assert from "node:assert/strict";
import { test } from "node:test";

import { cronProblem } from "./cron.ts";

const lines: readonly (readonly [line: string, problem: RegExp | undefined])[] = [
  ["30 2 * * 1-5", undefined],
  ["*/5 * * * *", undefined],
  ["0 0 1,15 * SUN", undefined],
  ["0 3 29 2 *", undefined],
  [" 0  3 * *\t* ", undefined],
  ["@daily", undefined],
  ["@Hourly", undefined],
  ["@reboot", /^must have five fields/],
  ["0 3 * *", /^must have five fields: minute, hour, day, month and weekday/],
  ["0 0 3 * * *", /^must have five fields/],
  ["", /^must have five fields/],
  ["61 * * * *", /^minute 61 must be from 0 to 59$/],
  ["0-75 * * * *", /^minute 75 must be from 0 to 59$/],
  ["0 24 * * *", /^hour 24 must be from 0 to 23$/],
  ["0 0 32 * *", /^day 32 must be from 1 to 31$/],
  ["0 0 0 * *", /^day 0 must be from 1 to 31$/],
  ["0 0 1 13 *", /^month 13 must be from 1 to 12$/],
  ["0 0 * * 8", /^weekday 8 must be from 0 to 7$/],
  ["H 3 * * *", /^minute "H" must be \*, or numbers from 0 to 59/],
  ["0 5-1 * * *", /^hour "5-1" must be/],
  ["*/0 * * * *", /^minute "\*\/0" must be/],
  ["0 3 * * sunday", /^weekday "sunday" must be/],
  ["0 0 30 2 *", /^names no day that ever comes$/],
  [`${"1,".repeat(600)}1 * * * *`, /^must have at most 1000 characters$/],
];

for (const [line, problem] of lines)
  test(`the line of cron ${JSON.stringify(line.slice(0, 30))} ${problem === undefined ? "works" : "is refused"}`, () => {
    const found = cronProblem(line);
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? "", problem);
  });
