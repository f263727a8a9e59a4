import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { Result } from "../../domain/result.ts";
import type { ResultQuery, ResultReads, StoredResult } from "../results.ts";
import { fromRow, resultColumns, resultValues, toRow } from "./result-row.ts";
import type { ResultRow } from "./result-row.ts";

/**
 * Results in two places: the latest in memory, made durable by an append-only journal, and the rest in one table a day,
 * clustered by check. A heartbeat therefore costs part of one journal row instead of a page of a clustered table: with
 * 50,000 checks that is 47,000 a second against 28,000. `fold` carries the one over into the other.
 */
export interface Results extends ResultReads {
  /** Keeps results for the journal; nobody sees them before `committed`. */
  readonly journal: (results: readonly Result[]) => void;
  readonly addCommitted: (results: readonly Result[]) => void;
  /** How many results are in memory only, beside the journal. */
  readonly uncompacted: () => number;
  /** Takes what is in memory so far, and what a failed fold left, to be carried over by the pieces it gives, in order. */
  readonly beginCompaction: () => readonly Chunk[];
  /** Erases up to so many results of a check that are in their days' tables, and gives their count. */
  readonly purge: (checkNo: number, limit: number) => number;
  readonly days: () => readonly string[];
  readonly dropDay: (day: string) => void;
}

/** A slice of a fold, short enough not to be felt: its rows go to their days, and only then leave the memory. */
export interface Chunk {
  readonly write: () => void;
  readonly committed: () => void;
}

const DAY_MS = 86_400_000;
const PAGE_ROWS = 60;
const PIECE_ROWS = 400;
const TABLE = /^results_(\d{8})$/;

type Memory = Map<number, Result[]>;

export function createResults({
  writer,
  reader,
}: {
  writer: DatabaseSync;
  reader: DatabaseSync;
}): Results {
  const insertJournal = writer.prepare("INSERT INTO journal (results) VALUES (?)");
  const facesOf = reader.prepare(
    "SELECT revision, type, target, timeout_seconds, interval_minutes FROM check_revisions WHERE check_no = ? ORDER BY revision",
  );
  const days = new Set<string>();
  for (const { name } of reader
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()) {
    const [, day] = TABLE.exec(String(name)) ?? [];
    if (day !== undefined) days.add(day);
  }

  let recent: Memory = new Map();
  let folding: Memory = new Map();
  let recentCount = 0;
  let lastJournalId = 0;
  let foldedThrough = 0;
  for (const { id, results } of reader
    .prepare("SELECT id, results FROM journal ORDER BY id")
    .iterate()) {
    lastJournalId = Number(id);
    const rows: readonly ResultRow[] = JSON.parse(String(results));
    remember(rows.map(fromRow));
  }

  function remember(results: readonly Result[]): void {
    for (const result of results) {
      const known = recent.get(result.checkNo);
      if (known === undefined) recent.set(result.checkNo, [result]);
      else known.splice(positionOf(known, result.startedAt), 0, result);
    }
    recentCount += results.length;
  }

  const fold = (checks: readonly (readonly [number, readonly Result[]])[]): Chunk => {
    const byDay = Map.groupBy(
      checks.flatMap(([, results]) => results),
      ({ startedAt }) => Math.floor(startedAt / DAY_MS),
    );
    const dayNames = [...byDay.keys()].map((day) => dayOf(day * DAY_MS));
    return {
      write() {
        for (const [day, results] of byDay) {
          const insert = insertInto(dayOf(day * DAY_MS));
          for (const result of results) insert.run(...toRow(result));
        }
      },
      committed() {
        for (const [checkNo] of checks) folding.delete(checkNo);
        for (const day of dayNames) days.add(day);
      },
    };
  };

  const inserts = new Map<string, StatementSync>();
  const insertInto = (day: string): StatementSync => {
    const known = inserts.get(day);
    if (known !== undefined) return known;
    writer.exec(
      `CREATE TABLE IF NOT EXISTS results_${day} (${resultColumns.join(", ")}) STRICT, WITHOUT ROWID`,
    );
    const insert = writer.prepare(`INSERT OR REPLACE INTO results_${day} VALUES (${resultValues})`);
    // Only a table whose making was committed is sure to be there the next time.
    if (days.has(day)) inserts.set(day, insert);
    return insert;
  };

  const selects = new Map<string, StatementSync>();
  const selectOf = (day: string, order: "ASC" | "DESC"): StatementSync => {
    const known = selects.get(day + order);
    if (known !== undefined) return known;
    const select = reader.prepare(
      `SELECT * FROM results_${day} WHERE check_no = ? AND started_at BETWEEN ? AND ? ORDER BY started_at ${order} LIMIT ?`,
    );
    select.setReturnArrays(true);
    selects.set(day + order, select);
    return select;
  };

  const fromDays = (query: ResultQuery, limit: number): Result[] => {
    const newest = query.order === "newest";
    const wanted = [...days]
      .filter((day) => day >= dayOf(query.from) && day <= dayOf(query.to))
      .toSorted();
    if (newest) wanted.reverse();
    const found: Result[] = [];
    for (const day of wanted) {
      if (found.length >= limit) break;
      const rows = selectOf(day, newest ? "DESC" : "ASC").all(
        query.checkNo,
        query.from,
        query.to,
        limit - found.length,
      );
      found.push(...rows.map((row) => fromRow(rowOf(row))));
    }
    return found;
  };

  const fromMemory = ({ checkNo, from, to, order }: ResultQuery, limit: number): Result[] =>
    [folding, recent].flatMap((memory) => {
      const known = memory.get(checkNo) ?? [];
      const within = known.slice(positionOf(known, from), positionOf(known, to + 1));
      return order === "newest" ? within.slice(-limit) : within.slice(0, limit);
    });

  const slice = (query: ResultQuery, limit: number): readonly Result[] => {
    const direction = query.order === "newest" ? -1 : 1;
    const sorted = [...fromMemory(query, limit), ...fromDays(query, limit)].toSorted(
      (one, other) => direction * (one.startedAt - other.startedAt),
    );
    // A crash in the middle of a fold leaves a result in both places.
    return sorted
      .filter(({ startedAt }, index) => startedAt !== sorted[index - 1]?.startedAt)
      .slice(0, limit);
  };

  const withFaces = (checkNo: number, results: readonly Result[]): readonly StoredResult[] => {
    const faces = facesOf.all(checkNo).map((row) => ({
      revision: Number(row.revision),
      type: String(row.type),
      target: String(row.target),
      timeoutSeconds: Number(row.timeout_seconds),
      intervalMinutes: Number(row.interval_minutes),
    }));
    const unknown = { type: "", target: "", timeoutSeconds: 0, intervalMinutes: 0 };
    return results.map((result) => ({
      ...unknown,
      ...faces.findLast(({ revision }) => revision <= result.revision),
      ...result,
    }));
  };

  return {
    journal(results) {
      lastJournalId = Number(insertJournal.run(JSON.stringify(results.map(toRow))).lastInsertRowid);
    },
    addCommitted: remember,
    uncompacted: () => recentCount,
    beginCompaction() {
      if (folding.size === 0) {
        folding = recent;
        foldedThrough = lastJournalId;
        recent = new Map();
        recentCount = 0;
      }
      const emptyJournal: Chunk = {
        write: () => writer.prepare("DELETE FROM journal WHERE id <= ?").run(foldedThrough),
        committed() {},
      };
      return [...piecesOf(folding).map(fold), emptyJournal];
    },
    purge(checkNo, limit) {
      let erased = 0;
      for (const day of days) {
        const { changes } = writer
          .prepare(
            `DELETE FROM results_${day} WHERE check_no = ?1 AND started_at IN (SELECT started_at FROM results_${day} WHERE check_no = ?1 LIMIT ?2)`,
          )
          .run(checkNo, limit - erased);
        erased += Number(changes);
      }
      return erased;
    },
    days: () => [...days].toSorted(),
    dropDay(day) {
      days.delete(day);
      inserts.delete(day);
      selects.delete(`${day}ASC`);
      selects.delete(`${day}DESC`);
    },
    last(checkNo) {
      const everything = { checkNo, from: 0, to: LAST_INSTANT, limit: 1, order: "newest" } as const;
      return Promise.resolve(withFaces(checkNo, slice(everything, 1))[0]);
    },
    async *page(query) {
      let { from, to, limit } = query;
      while (limit > 0 && from <= to) {
        const results = slice({ ...query, from, to }, Math.min(limit, PAGE_ROWS));
        const last = results.at(-1);
        if (last === undefined) return;
        yield withFaces(query.checkNo, results);
        limit -= results.length;
        if (query.order === "newest") to = last.startedAt - 1;
        else from = last.startedAt + 1;
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    },
  };
}

/** `setReturnArrays` is not in the types: what comes back is the values of the row in order. */
function rowOf(row: unknown): ResultRow {
  return row as ResultRow; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the table has exactly these columns
}

/** The end of the year 9999, the last that a day's name has room for. */
const LAST_INSTANT = 253_402_300_799_999;

export function dayOf(at: number): string {
  return new Date(Math.min(Math.max(at, 0), LAST_INSTANT))
    .toISOString()
    .slice(0, 10)
    .replaceAll("-", "");
}

/** Where in a list in the order of their starts one that begins at `startedAt` belongs. */
function positionOf(results: readonly Result[], startedAt: number): number {
  let low = 0;
  let high = results.length;
  // Nearly always at the end.
  if ((results.at(-1)?.startedAt ?? -1) < startedAt) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((results[middle]?.startedAt ?? 0) < startedAt) low = middle + 1;
    else high = middle;
  }
  return low;
}

function piecesOf(memory: Memory): readonly (readonly (readonly [number, readonly Result[]])[])[] {
  const pieces: (readonly [number, readonly Result[]])[][] = [];
  let rows = Infinity;
  for (const entry of [...memory].toSorted(([one], [other]) => one - other)) {
    if (rows >= PIECE_ROWS) {
      pieces.push([]);
      rows = 0;
    }
    pieces.at(-1)?.push(entry);
    rows += entry[1].length;
  }
  return pieces;
}
