import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";

import { systemClock } from "../src/kit/clock.ts";
import type { Options } from "./options.ts";
import { resultsPage } from "./report/page.ts";
import { faultLines, resultOf, type MonitorResult, type Results } from "./report/results.ts";
import { summary } from "./report/summary.ts";
import { terminalReport } from "./report/terminal.ts";
import type { Trouble } from "./scenario.ts";
import { controls } from "./scenarios/network.ts";
import { runSession, type MonitorRecord, type SessionRecord } from "./session.ts";

/** To set a clock takes a library that costs time at every look, so that it has a session of its own. */
const needsClock = ({ kind }: Trouble): boolean =>
  kind === "clock-forward" || kind === "clock-back";
const MINUTE = 60;

/** Runs everything, prints the table, writes the page and the record, and gives the exit code. */
export async function runScoreboard(options: Options, signal: AbortSignal): Promise<number> {
  const beganAt = systemClock.monotonic();
  const at = new Date(systemClock.now()).toISOString();
  const elapsed = (): number => (systemClock.monotonic() - beganAt) / 1000;
  const say = (what: string): void =>
    void process.stderr.write(`${String(Math.round(elapsed())).padStart(5)} s  ${what}\n`);
  const shared = { ...options, signal, say };
  const clockTroubles = options.troubles.filter(needsClock);
  const troubles = options.troubles.filter((one) => !needsClock(one));
  const sessions: SessionRecord[] = [];
  if (troubles.length > 0 || options.scenarios.length > controls.length)
    sessions.push(await runSession({ ...shared, troubles, hasClocks: false }));
  if (clockTroubles.length > 0)
    sessions.push(
      await runSession({
        ...shared,
        scenarios: controls,
        troubles: clockTroubles,
        hasClocks: true,
      }),
    );
  const results: Results = {
    at,
    minutes: elapsed() / MINUTE,
    seed: options.seed,
    schedule: options.schedule,
    rows: [...options.scenarios, ...options.troubles].map(({ name, breaks }) => ({ name, breaks })),
    monitors: options.monitors.flatMap(({ name, configuration }) => {
      const [first, ...rest] = recordsOf(sessions, name);
      return first === undefined ? [] : [resultOf([first, ...rest], configuration)];
    }),
    failed: sessions.flatMap(({ failed }) => failed),
  };
  process.stdout.write(terminalReport(results));
  await writeReports(options.output, results, sessions);
  const isOurs = ({ name }: { readonly name: string }): boolean => name.startsWith("watchpost");
  const ours = results.monitors.filter(isOurs);
  const isGood = (one: MonitorResult): boolean =>
    faultLines(one).length === 0 && one.stoppedAlerting === undefined;
  return ours.every(isGood) && !results.failed.some(isOurs) ? 0 : 1;
}

function recordsOf(sessions: readonly SessionRecord[], name: string): readonly MonitorRecord[] {
  return sessions.flatMap(({ records }) => records.filter((record) => record.name === name));
}

async function writeReports(
  folder: string,
  results: Results,
  sessions: readonly SessionRecord[],
): Promise<void> {
  const page = resolve(folder, "scoreboard.html");
  const record = resolve(folder, "scoreboard.json");
  const table = resolve(folder, "scoreboard.md");
  await writeFile(page, resultsPage(results));
  await writeFile(record, JSON.stringify({ results, sessions }, plainJson, 1));
  await writeFile(table, summary(results));
  process.stdout.write(`${page}\n${record}\n${table}\n`);
}

/** Converts values without a JSON form: patterns, maps, and infinite instants. */
function plainJson(_key: string, value: unknown): unknown {
  if (value instanceof RegExp) return value.source;
  if (value instanceof Map) return Object.fromEntries(value);
  return value === Infinity ? null : value;
}
