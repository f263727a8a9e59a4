import { parseArgs } from "node:util";

import { runTrial, type TrialFigures } from "./trial.ts";

const usage = `npm run distance -- [options]: what two processes still do on time while PostgreSQL is far away.
  --round-trips 0,100,150,200,300  in ms, one after the other; about a minute and a half each
  --checks 100                     of 15 s, which all fail at once and recover at once
`;

const { values } = parseArgs({
  options: {
    "round-trips": { type: "string", default: "0,100,150,200,300" },
    checks: { type: "string", default: "100" },
    help: { type: "boolean", default: false },
  },
});

process.exitCode = values.help ? write(usage) : await run();

async function run(): Promise<number> {
  const columns = Object.keys(cells);
  write(`| round trip | ${columns.join(" | ")} |\n|${"---|".repeat(columns.length + 1)}\n`);
  for (const roundTripMs of values["round-trips"].split(",").map(Number)) {
    const figures = await runTrial({ roundTripMs, checks: Number(values.checks) });
    const row = Object.values(cells).map((cell) => cell(figures));
    write(`| ${roundTripMs} ms | ${row.join(" | ")} |\n`);
  }
  return 0;
}

/** Cells by column heading. */
const cells: Readonly<Record<string, (figures: TrialFigures) => string>> = {
  "longest interval": ({ maxIntervalMs }) => seconds(maxIntervalMs),
  "runs missed": ({ missedRuns }) => String(missedRuns),
  "leases lost": ({ lostLeases }) => String(lostLeases),
  unready: ({ unready, looks }) => `${unready} of ${looks}`,
  "last down": ({ lastDownMs }) => seconds(lastDownMs),
  "last up": ({ lastUpMs }) => seconds(lastUpMs),
  heartbeat: ({ heartbeatMs }) => heartbeatMs.map(seconds).join(" / "),
  "API request": ({ requestMs }) => requestMs.map(seconds).join(" / "),
  refused: ({ refused }) => String(refused),
};

function seconds(ms: number): string {
  return ms === Infinity ? "never" : `${(ms / 1000).toFixed(1)} s`;
}

function write(text: string): number {
  process.stdout.write(text);
  return 0;
}
