import type { DatabaseSync } from "node:sqlite";

import type { Result } from "../../domain/run/result.ts";
import type { ResultQuery, ResultReads, StoredResult } from "../results.ts";
import { createResultDays, dayOf, LAST_INSTANT } from "./result-days.ts";
import type { ResultDays } from "./result-days.ts";
import { createResultMemory } from "./result-memory.ts";
import type { ResultMemory, ResultsByCheck } from "./result-memory.ts";
import { fromRow, toRow } from "./result-row.ts";
import type { ResultRow } from "./result-row.ts";

/**
 * Results in two places: the latest in memory, made durable by an append-only journal, and the rest in one table a day,
 * clustered by check. A heartbeat therefore costs part of one journal row instead of a page of a clustered table: with
 * 50,000 checks that is 47,000 a second against 28,000. Compaction moves them from the one to the other.
 */
export interface Results extends ResultReads {
  /** Within a commit: writes results to the journal; nobody sees them before `addCommitted`. */
  readonly writeJournal: (results: readonly Result[]) => void;
  readonly addCommitted: (results: readonly Result[]) => void;
  /** How many results were added since the last compaction began. */
  readonly uncompacted: () => number;
  /** What is to be compacted, in units to be written in order. */
  readonly beginCompaction: () => readonly Chunk[];
  /** The latest result of a unit's check: one of `uncommitted`, or what is committed. */
  readonly lastWith: (checkNo: number, uncommitted: readonly Result[]) => StoredResult | undefined;
  readonly lastTicks: (checkNos: readonly number[]) => ReadonlyMap<number, number>;
  readonly days: ResultDays;
}

/** A part of a compaction, short enough not to delay other units: its rows go to their days, and only then leave the memory. */
export interface Chunk {
  readonly results: readonly Result[];
  /** Within a unit: writes all of the results, or some. */
  readonly write: (results: readonly Result[]) => void;
  /** Called with those that were written. */
  readonly committed: (written: readonly Result[]) => void;
}

interface Connections {
  readonly writer: DatabaseSync;
  readonly reader: DatabaseSync;
}

const DAY_MS = 86_400_000;
const PAGE_ROWS = 60;

export function createResults({ writer, reader }: Connections): Results {
  const insertJournal = writer.prepare("INSERT INTO result_journal (results) VALUES (?)");
  const deleteJournal = writer.prepare("DELETE FROM result_journal WHERE id <= ?");
  const memory = createResultMemory();
  const days = createResultDays({ writer, reader });
  const withCheck = checksAtRevision(reader);
  let lastJournalId = readJournal(reader, memory);
  let compactedThrough = 0;

  const lastWith = (
    checkNo: number,
    uncommitted: readonly Result[] = [],
  ): StoredResult | undefined => {
    const everything = { checkNo, from: 0, to: LAST_INSTANT, limit: 1, order: "newest" } as const;
    const candidates = [
      ...uncommitted.filter((result) => result.checkNo === checkNo),
      ...merged({ memory, days }, everything, 1),
    ];
    const [first, ...others] = candidates;
    if (first === undefined) return undefined;
    const last = others.reduce(
      (latest, result) => (result.startedAt > latest.startedAt ? result : latest),
      first,
    );
    return withCheck(checkNo, [last])[0];
  };

  return {
    days,
    writeJournal(results) {
      lastJournalId = Number(insertJournal.run(JSON.stringify(results.map(toRow))).lastInsertRowid);
    },
    addCommitted: memory.add,
    uncompacted: memory.added,
    beginCompaction() {
      const { isNew, chunks } = memory.beginCompaction();
      if (isNew) compactedThrough = lastJournalId;
      const emptyJournal: Chunk = {
        results: [],
        write: () => deleteJournal.run(compactedThrough),
        committed() {},
      };
      return [...chunks.map((chunk) => compaction(chunk, { memory, days })), emptyJournal];
    },
    lastWith,
    lastTicks(checkNos) {
      const ofDays = days.lastTicks(checkNos.filter((no) => memory.last(no) === undefined));
      const inMemory = checkNos.flatMap((no) => {
        const last = memory.last(no);
        return last === undefined ? [] : [[no, last.tick] as const];
      });
      return new Map([...ofDays, ...inMemory]);
    },
    last: (checkNo) => Promise.resolve(lastWith(checkNo)),
    async *page(query) {
      let { from, to, limit } = query;
      while (limit > 0 && from <= to) {
        const results = merged(
          { memory, days },
          { ...query, from, to },
          Math.min(limit, PAGE_ROWS),
        );
        const last = results.at(-1);
        if (last === undefined) return;
        yield withCheck(query.checkNo, results);
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

interface Places {
  readonly memory: ResultMemory;
  readonly days: ResultDays;
}

/** Gives the id of the last row. */
function readJournal(reader: DatabaseSync, memory: ResultMemory): number {
  let lastId = 0;
  const journal = reader.prepare("SELECT id, results FROM result_journal ORDER BY id");
  for (const { id, results } of journal.iterate()) {
    lastId = Number(id);
    const rows: readonly ResultRow[] = JSON.parse(String(results));
    memory.add(rows.map(fromRow));
  }
  return lastId;
}

function compaction(chunk: ResultsByCheck, { memory, days }: Places): Chunk {
  return {
    results: chunk.flatMap(([, results]) => results),
    write(results) {
      for (const [day, ofDay] of byDay(results)) days.insert(day, ofDay);
    },
    committed(written) {
      memory.endChunk(chunk);
      days.committed([...byDay(written).keys()]);
    },
  };
}

function byDay(results: readonly Result[]): ReadonlyMap<string, readonly Result[]> {
  return Map.groupBy(results, ({ startedAt }) => dayOf(Math.floor(startedAt / DAY_MS) * DAY_MS));
}

/** In order, from both places; a crash in the middle of a compaction leaves a result in both. */
function merged({ memory, days }: Places, query: ResultQuery, limit: number): readonly Result[] {
  const direction = query.order === "newest" ? -1 : 1;
  const sorted = [...memory.read(query, limit), ...days.read(query, limit)].toSorted(
    (one, other) => direction * (one.startedAt - other.startedAt),
  );
  return sorted
    .filter(({ startedAt }, index) => startedAt !== sorted[index - 1]?.startedAt)
    .slice(0, limit);
}

/** Adds to results what their check was when they ran. */
function checksAtRevision(
  reader: DatabaseSync,
): (checkNo: number, results: readonly Result[]) => readonly StoredResult[] {
  const select = reader.prepare(
    "SELECT revision, type, target, timeout_seconds, interval_minutes FROM check_revisions WHERE check_no = ? ORDER BY revision",
  );
  const unknown = { type: "", target: "", timeoutSeconds: 0, intervalMinutes: 0 };
  return (checkNo, results) => {
    const revisions = select.all(checkNo).map((row) => ({
      revision: Number(row.revision),
      type: String(row.type),
      target: String(row.target),
      timeoutSeconds: Number(row.timeout_seconds),
      intervalMinutes: Number(row.interval_minutes),
    }));
    return results.map((result) => ({
      ...unknown,
      ...revisions.findLast(({ revision }) => revision <= result.revision),
      ...result,
    }));
  };
}
