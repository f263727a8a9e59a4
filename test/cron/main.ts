import { parseArgs } from "node:util";

import { runHour } from "./hour.ts";
import { healthchecksLines, uptimeKumaLines } from "./lines.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    real: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const usage = `npm run cron -- [options]: a crontab of curl and wget for an hour against the real process, whose clock is moved on between them.
  --minutes 60  how long, by the clock of the program
  --real        by the real clock: an hour takes an hour
It ends with 1 where a result, a state, a run time or evidence is not what the lines did, and says which.
`;

process.exitCode = values.help ? help() : await run();

function help(): number {
  process.stdout.write(usage);
  return 0;
}

async function run(): Promise<number> {
  const minutes = Number(values.minutes);
  const lines = [...healthchecksLines, ...uptimeKumaLines];
  const reported = await runHour({ lines, minutes, isReal: values.real });
  const rows = reported.map(({ line, runs, results, expected, differences }) => [
    `\`${line.cron} ${line.command.replaceAll("|", "\\|")}\``,
    runs,
    results.filter(({ su }) => su).length,
    expected.filter(({ passed, isNoticed }) => !passed && !isNoticed).length,
    expected.filter(({ isNoticed }) => isNoticed).length,
    differences.length,
  ]);
  write("| line | runs | passes | failures sent | noticed | differences |");
  write("|---|---|---|---|---|---|");
  for (const row of rows) write(`| ${row.join(" | ")} |`);
  const found = reported.flatMap(({ line, differences }) =>
    differences.map((difference) => `${line.command}\n  ${difference}`),
  );
  for (const one of found) write(one);
  write(`${minutes} minutes in ${Math.round(process.uptime())} s: ${found.length} differences`);
  return found.length > 0 ? 1 : 0;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
