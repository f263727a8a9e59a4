import { Cron } from "croner";

import type { Line, Report } from "./lines.ts";

/** Effects of one run of a line, by the program's clock. */
export interface Ran {
  readonly startedAt: number;
  /** When the job was over; undefined for one that never was. */
  readonly endedAt: number;
  readonly report: Report | undefined;
}

/** A result that the check of a line has to have, and when at the earliest. */
export interface Expected extends Report {
  readonly at: number;
  /** Duration of a job that reports its start. */
  readonly runMs: number;
  /** Set if nothing was sent and the check noticed the absence. */
  readonly isNoticed: boolean;
}

const MINUTE_MS = 60_000;
const EARLY_MS = 30_000;

/** Returns the results that a check must have, from the actions of its lines alone. */
export function expectedResults(
  { cron, check, starts, distinguishesRuns }: Line,
  ran: readonly Ran[],
  until: number,
): readonly Expected[] {
  const minutesOf = (value: unknown): number => Number(value) * MINUTE_MS;
  const graceMs = minutesOf(check.grace);
  const maxRunMs = minutesOf(check.maxruntime ?? check.grace);
  const times = new Cron(cron, { timezone: "UTC", paused: true });
  const expectedAfter = (at: number): number =>
    check.interval === undefined
      ? (times.nextRun(new Date(at + EARLY_MS))?.getTime() ?? Infinity)
      : at + minutesOf(check.interval);

  const found: Expected[] = [];
  const open = new Map<Ran, number>();
  let [isPassing, lateAt] = [true, Infinity];
  const notice = (at: number): void => {
    found.push({ at, passed: false, message: "(noticed)", isNoticed: true, runMs: 0 });
    isPassing = false;
    lateAt = Infinity;
  };
  /** Whatever the check notices by itself before that time, in its order. */
  const noticeUntil = (at: number): void => {
    for (;;) {
      const newest = [...open.values()].at(-1) ?? -Infinity;
      const waitsUntil = check.maxruntime === undefined ? -Infinity : newest + maxRunMs;
      const staleAt = Math.max(lateAt, waitsUntil);
      const [oldest, startedAt] = [...open].find(([, from]) => Number.isFinite(from)) ?? [];
      const overdueAt = startedAt === undefined ? Infinity : startedAt + maxRunMs;
      if (Math.min(staleAt, overdueAt) > at) return;
      if (overdueAt <= staleAt && oldest !== undefined) {
        // It is said once of a run.
        open.delete(oldest);
        if (isPassing) notice(overdueAt);
      } else if (isPassing) notice(staleAt);
      else lateAt = Infinity;
    }
  };
  const events = ran
    .flatMap((run) => [
      ...(starts === true ? [{ at: run.startedAt, run, isStart: true }] : []),
      { at: run.endedAt, run, isStart: false },
    ])
    .toSorted((one, other) => one.at - other.at);
  for (const { at, run, isStart } of events) {
    if (at > until) break;
    noticeUntil(at);
    if (isStart) {
      // Without an id the newest start is that of all.
      if (distinguishesRuns !== true) open.clear();
      open.set(run, at);
      continue;
    }
    if (run.report === undefined) continue;
    open.delete(run);
    found.push({ ...run.report, at, isNoticed: false, runMs: at - run.startedAt });
    isPassing = run.report.passed;
    lateAt = expectedAfter(at) + graceMs;
  }
  noticeUntil(until);
  return found;
}
