import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { systemClock } from "../src/kit/clock.ts";
import { judge } from "./judge/judge.ts";
import { grade } from "./judge/grades.ts";
import type { Options } from "./options.ts";
import { runSession } from "./session.ts";
import type { SessionRecord } from "./session.ts";

/** Runs everything, prints the table and writes the page, and gives the exit code. */
export async function runScoreboard(options: Options, signal: AbortSignal): Promise<number> {
  const beganAt = systemClock.monotonic();
  const say = (what: string): void => {
    const seconds = Math.round((systemClock.monotonic() - beganAt) / 1000);
    process.stderr.write(`${String(seconds).padStart(5)} s  ${what}\n`);
  };
  const record: SessionRecord = await runSession({ ...options, hasClocks: false, signal, say });
  for (const { name, truth, alarms, cost, log } of record.records) {
    const judgement = judge(truth, alarms);
    process.stdout.write(`${name} ${JSON.stringify({ ...grade(judgement), cost }, null, 1)}\n`);
    for (const fault of judgement.faults) process.stdout.write(`${JSON.stringify(fault)}\n`);
    for (const { outage, alarmSeconds, recoverySeconds, reason } of judgement.episodes)
      process.stdout.write(`${outage.scenario} ${alarmSeconds} ${recoverySeconds} ${reason}\n`);
    await writeFile(join(options.output, `scoreboard-${name}.log`), log);
  }
  return 0;
}
