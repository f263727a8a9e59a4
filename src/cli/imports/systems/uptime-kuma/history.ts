import { parseJson } from "../../../../kit/safe-json.ts";
import type { JsonObject } from "../../../api-client.ts";
import {
  filledPieces,
  piecesOf,
  type HistoryBeat,
  type CountedTime,
} from "../../history/covered-history.ts";
import { countOf } from "../../history/history-files.ts";
import { historyOf, type History } from "../../history/history.ts";
import type { ImportedCheck } from "../../imported.ts";
import { number, object, text } from "../../source.ts";
import type { SourceDatabase } from "./read-database.ts";

const states: Readonly<Record<number, HistoryBeat["state"]>> = {
  0: "down",
  1: "up",
  // A failure that is not confirmed yet counts as one in its uptime.
  2: "down",
  3: "maintenance",
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const USUAL_INTERVAL_S = 60;
/** Run time allowed besides the timeout. */
const SLACK_S = 10;

/** Adds to checks when their monitors were up and down. */
export function withHistories(
  checks: readonly ImportedCheck[],
  database: SourceDatabase,
): readonly ImportedCheck[] {
  return checks.map((check) => {
    const history = historyOfMonitor(number(check.from) ?? 0, database);
    return history.known.length === 0 ? check : { ...check, history };
  });
}

function historyOfMonitor(id: number, database: SourceDatabase): History {
  const [row = {}] = database.rows("monitor", "SELECT * FROM monitor WHERE id = ?", id);
  const interval = number(row.interval) || USUAL_INTERVAL_S;
  const retry = number(row.retry_interval) || interval;
  const timeout = number(row.timeout) || interval;
  const intervalMs = interval * 1000;
  const nextWithinMs = (Math.max(interval, retry) + timeout + SLACK_S) * 1000;
  let count = 0;
  function* beats(): Generator<HistoryBeat> {
    const query = "SELECT status, time, msg FROM heartbeat WHERE monitor_id = ? ORDER BY time, id";
    for (const beat of database.rows("heartbeat", query, id)) {
      const [state, at] = [states[number(beat.status) ?? -1], instantOf(beat.time)];
      if (state === undefined || at === undefined) continue;
      count += 1;
      yield { at, state, message: text(beat.msg) ?? "" };
    }
  }
  const days = countedTimes(id, database, "stat_daily");
  const counted = countedOnce(days, countedTimes(id, database, "stat_hourly"));
  const figures = createFigures(days);
  const known = piecesOf(counting(beats(), figures), { intervalMs, nextWithinMs });
  const history = historyOf("", filledPieces(known, counted, intervalMs));
  const statistics =
    counted.length === 0 ? "" : ` and statistics of ${counted.length} hours and days`;
  const source = `${countOf(count, "heartbeat")}${statistics}`;
  return { ...history, source, theirs: figures.months() };
}

/** Hours are kept for a month, and say more than the days before them. */
function countedOnce(
  days: readonly CountedTime[],
  hours: readonly CountedTime[],
): readonly CountedTime[] {
  const first = hours[0]?.start ?? Infinity;
  const before = days
    .filter(({ start }) => start < first)
    .map((day): CountedTime => {
      const within = hours.filter(({ start }) => start < day.end);
      const less = (name: "up" | "down" | "maintenance"): number =>
        Math.max(0, day[name] - within.reduce((sum, hour) => sum + hour[name], 0));
      return {
        start: day.start,
        end: Math.min(day.end, first),
        up: less("up"),
        down: less("down"),
        maintenance: less("maintenance"),
      };
    });
  return [...before, ...hours];
}

/** Counts beats of days for which there are no statistics, as version 1 has none. */
function createFigures(days: readonly CountedTime[]) {
  const counted = new Set(days.map(({ start }) => start));
  const months = new Map<string, { up: number; down: number }>();
  const add = (at: number, { up, down }: { readonly up: number; readonly down: number }): void => {
    const month = new Date(at).toISOString().slice(0, 7);
    const sum = months.get(month) ?? { up: 0, down: 0 };
    months.set(month, { up: sum.up + up, down: sum.down + down });
  };
  for (const day of days) add(day.start, day);
  return {
    count({ at, state }: HistoryBeat): void {
      if (state === "maintenance" || counted.has(Math.floor(at / DAY_MS) * DAY_MS)) return;
      add(at, { up: Number(state === "up"), down: Number(state === "down") });
    },
    months: (): NonNullable<History["theirs"]> =>
      [...months]
        .map(([month, sum]) => ({ month, ...sum }))
        .toSorted((one, other) => one.month.localeCompare(other.month)),
  };
}

function* counting(
  beats: Iterable<HistoryBeat>,
  { count }: Pick<ReturnType<typeof createFigures>, "count">,
): Generator<HistoryBeat> {
  for (const beat of beats) {
    count(beat);
    yield beat;
  }
}

/** Times are text in UTC. */
function instantOf(time: unknown): number | undefined {
  const sent = text(time);
  if (sent === undefined) return undefined;
  const at = /^\d+$/.test(sent) ? Number(sent) : Date.parse(`${sent.replace(" ", "T")}Z`);
  return Number.isFinite(at) ? at : undefined;
}

function countedTimes(
  id: number,
  database: SourceDatabase,
  table: "stat_hourly" | "stat_daily",
): readonly CountedTime[] {
  const length = table === "stat_hourly" ? HOUR_MS : DAY_MS;
  const query = `SELECT * FROM ${table} WHERE monitor_id = ? ORDER BY timestamp`;
  return Array.from(database.rows(table, query, id), (row) => {
    const start = (number(row.timestamp) ?? 0) * 1000;
    const maintenance = number(extrasOf(row).maintenance) ?? 0;
    const [up, down] = [number(row.up) ?? 0, number(row.down) ?? 0];
    return { start, end: start + length, up, down, maintenance };
  });
}

function extrasOf({ extras }: JsonObject): JsonObject {
  const sent = text(extras);
  if (sent === undefined) return {};
  try {
    return object(parseJson("extras", sent));
  } catch {
    return {};
  }
}
