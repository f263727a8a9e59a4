import { parseArgs } from "node:util";

import { blipsOf, expectedAlarms } from "./arithmetic.ts";
import { INTERVALS, LENGTHS, runTrial } from "./trial.ts";

/** Seconds of the longest blip that may alert nobody. */
const MAX_SILENT = 5;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    help: { type: "boolean", default: false },
  },
});

const usage = `npm run blips -- [options]: how often targets that are down for ${LENGTHS.join(", ")} s once a minute alarm, with checks of ${INTERVALS.join(" and ")} s and default settings.
  --minutes 20  how long
It ends with 1 where a blip of up to ${MAX_SILENT} s alarmed.
`;

process.exitCode = values.help ? help() : await run(Number(values.minutes));

function help(): number {
  write(usage);
  return 0;
}

async function run(minutes: number): Promise<number> {
  if (!Number.isInteger(minutes) || minutes < 1) {
    write("--minutes must be a whole number of 1 or more");
    return 2;
  }
  const groups = await runTrial(minutes);
  write("| blip | interval | checks | blips met | alarms | expected |");
  write("|---|---|---|---|---|---|");
  for (const { lengthSeconds, intervalSeconds, checks, alarms } of groups) {
    const expected = checks * expectedAlarms(intervalSeconds, blipsOf(lengthSeconds, minutes));
    write(
      `| ${lengthSeconds} s | ${intervalSeconds} s | ${checks} | ${checks * minutes} | ${alarms} | ${expected.toFixed(1)} |`,
    );
  }
  const wrong = groups.filter(
    ({ lengthSeconds, alarms }) => lengthSeconds <= MAX_SILENT && alarms > 0,
  );
  write(
    `${wrong.reduce((sum, { alarms }) => sum + alarms, 0)} alarms of blips of up to ${MAX_SILENT} s`,
  );
  return wrong.length > 0 ? 1 : 0;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
