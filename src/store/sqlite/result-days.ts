import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { Result } from "../../domain/run/result.ts";
import { InvalidInput } from "../../kit/errors.ts";
import type { LatestResult, ResultQuery } from "../results.ts";
import {
  fromRow,
  resultColumns,
  resultValues,
  timingsOf,
  toRow,
  type ResultRow,
} from "./result-row.ts";
import type { Statements } from "./thread/write-connection.ts";

/** One table for the results of each day, clustered by check. */
export interface ResultDays {
  readonly list: () => readonly string[];
  readonly isEmpty: (day: string) => boolean;
  /** Within a unit; the table is only known to be there once `committed` names it. */
  readonly insert: (day: string, results: readonly Result[]) => Promise<void>;
  readonly committed: (days: readonly string[]) => void;
  readonly read: (query: ResultQuery, limit: number) => readonly Result[];
  /** The latest result of each of these checks that has any. */
  readonly latest: (checkNos: readonly number[]) => ReadonlyMap<number, LatestResult>;
  /** Uses the table of the day no more. */
  readonly forget: (day: string) => void;
  /** Reads again which tables there are. */
  readonly reconcile: () => void;
}

interface Connections {
  readonly writer: Statements;
  readonly reader: DatabaseSync;
}

const TABLE = /^results_(\d{8})$/;

export function createResultDays({ writer, reader }: Connections): ResultDays {
  const days = new Set(existingDays(reader));
  const selects = new Map<string, StatementSync>();

  const selectFrom = (day: string, order: "ASC" | "DESC"): StatementSync => {
    const known = selects.get(day + order);
    if (known !== undefined) return known;
    const select = reader.prepare(
      `SELECT * FROM ${tableOf(day)} WHERE check_no = ? AND started_at BETWEEN ? AND ? ORDER BY started_at ${order} LIMIT ?`,
    );
    select.setReturnArrays(true);
    selects.set(day + order, select);
    return select;
  };

  return {
    list: () => [...days].toSorted(),
    isEmpty: (day) => reader.prepare(`SELECT 1 FROM ${tableOf(day)} LIMIT 1`).get() === undefined,
    async insert(day, results) {
      if (!days.has(day)) {
        const sql = `CREATE TABLE IF NOT EXISTS ${tableOf(day)} (${resultColumns.join(", ")}) STRICT, WITHOUT ROWID`;
        await writer.execute({ sql, parameters: [] });
      }
      const sql = `INSERT OR REPLACE INTO ${tableOf(day)} VALUES (${resultValues})`;
      await writer.executeMany(sql, results.map(toRow));
    },
    committed(named) {
      for (const day of named) days.add(day);
    },
    read({ checkNo, from, to, order }, limit) {
      const newest = order === "newest";
      const wanted = [...days].filter((day) => day >= dayOf(from) && day <= dayOf(to)).toSorted();
      if (newest) wanted.reverse();
      const found: Result[] = [];
      for (const day of wanted) {
        if (found.length >= limit) break;
        const select = selectFrom(day, newest ? "DESC" : "ASC");
        const rows = select.all(checkNo, from, to, limit - found.length);
        found.push(...rows.map((row) => fromRow(rowOf(row))));
      }
      return found;
    },
    latest: (checkNos) => latestOf(reader, { days: [...days].toSorted(), checkNos }),
    forget(day) {
      days.delete(day);
      selects.delete(`${day}ASC`);
      selects.delete(`${day}DESC`);
    },
    reconcile() {
      for (const day of existingDays(reader)) days.add(day);
    },
  };
}

function existingDays(reader: DatabaseSync): readonly string[] {
  return reader
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .flatMap(({ name }) => TABLE.exec(String(name))?.[1] ?? []);
}

/** One query a day, from the newest until every check has its result. */
function latestOf(
  reader: DatabaseSync,
  { days, checkNos }: { readonly days: readonly string[]; readonly checkNos: readonly number[] },
): ReadonlyMap<number, LatestResult> {
  const found = new Map<number, LatestResult>();
  let missing = checkNos;
  for (const day of days.toReversed()) {
    if (missing.length === 0) break;
    const rows = reader
      .prepare(
        `SELECT check_no, started_at, started_at - tick_offset_ms AS tick, runtime_ms, text, timings FROM json_each(?) JOIN ${tableOf(day)} ON check_no = value AND started_at = (SELECT max(started_at) FROM ${tableOf(day)} WHERE check_no = value)`,
      )
      .all(JSON.stringify(missing));
    for (const { check_no, started_at, tick, runtime_ms, text, timings } of rows)
      found.set(Number(check_no), {
        startedAt: Number(started_at),
        tick: Number(tick),
        runtimeMs: Number(runtime_ms),
        text: String(text),
        timings: timings === null ? undefined : timingsOf(String(timings)),
      });
    missing = missing.filter((no) => !found.has(no));
  }
  return found;
}

/** `setReturnArrays` is not in the types: what comes back is the values of the row in order. */
function rowOf(row: unknown): ResultRow {
  return row as ResultRow; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the table has exactly these columns
}

export function tableOf(day: string): string {
  return `results_${day}`;
}

/** The instant at which a day begins. */
export function startOf(day: string): number {
  return Date.parse(day.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"));
}

/** The end of the year 9999, the last that a day's name has room for. */
const LAST_INSTANT = 253_402_300_799_999;

export function dayOf(at: number): string {
  if (Number.isNaN(at)) throw new InvalidInput("an instant is not a number");
  return new Date(Math.min(Math.max(at, 0), LAST_INSTANT))
    .toISOString()
    .slice(0, 10)
    .replaceAll("-", "");
}
