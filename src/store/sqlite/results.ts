import type { DatabaseSync } from "node:sqlite";

import type { Result } from "../../domain/run/result.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { inOrder } from "../results/result-order.ts";
import { createTargetOpener } from "../tables/checks/sealed-target.ts";
import { createPackedDays } from "../results/packed-days.ts";
import { createResultReads, type MergedReads } from "../results/result-reads.ts";
import type { RowReads } from "../results/row-reads.ts";
import { createStoredSummaries } from "../results/stored-summaries.ts";
import type { LatestResult, ResultQuery, ResultWrites, StoredResult } from "../results.ts";
import { kyselyOver } from "./dialect.ts";
import { createResultDays, dayOf, type ResultDays } from "./result-days.ts";
import { fromRow, toRow, type ResultRow } from "./result-row.ts";
import type { Statement } from "./thread/protocol.ts";
import type { Statements } from "./thread/write-connection.ts";

/**
 * Results in two places: the latest in memory, made durable by an append-only journal, and the rest in one table a day,
 * clustered by check. A heartbeat therefore costs part of one journal row instead of a page of a clustered table: with
 * 50,000 checks that is 47,000 a second against 28,000. Compaction moves them from the one to the other.
 */
export interface Results extends MergedReads {
  /** Returns the statement that writes results to the journal; they stay invisible until `addCommitted`. */
  readonly storeResults: (results: readonly Result[]) => Statement;
  /** Takes results that are durable, with the id of their row of the journal. */
  readonly addCommitted: (results: readonly Result[], journalId: number) => void;
  /** Takes what is in the database and was not reported as committed. */
  readonly reconcile: () => void;
  /** How many results were added since the last compaction began. */
  readonly uncompacted: () => number;
  /** Returns the chunks to compact, to be written in order as transactions. */
  readonly beginCompaction: () => readonly Chunk[];
  /** Reads some that are not committed with those that are. */
  readonly with: (
    uncommitted: readonly Result[],
  ) => Pick<MergedReads, "last" | "latest"> & Pick<ResultWrites, "recent">;
  /** Results that are not packed. */
  readonly readRows: RowReads["read"];
  readonly days: ResultDays;
  /** Called before packing results; `lastAt` is the start of the last one. */
  readonly willPack: (lastAt: number) => void;
}

/** A part of a compaction, short enough not to delay other units: its rows go to their days, and only then leave the memory. */
export interface Chunk {
  readonly results: readonly Result[];
  /** Within a unit: writes all of the results, or some. */
  readonly write: (results: readonly Result[]) => Promise<unknown>;
  /** Called with the written results. */
  readonly committed: (written: readonly Result[]) => void;
}

interface Connections {
  readonly writer: Statements;
  readonly reader: DatabaseSync;
  readonly sealer: Pick<Sealer, "open">;
  readonly log: Log;
  readonly meter: Meter;
}

const DAY_MS = 86_400_000;
const PAGE_ROWS = 60;

export function createResults({ writer, reader, sealer, log, meter }: Connections): Results {
  const memory = createResultMemory();
  const days = createResultDays({ writer, reader });
  let latestPacked = latestPackedIn(reader);
  const latestStart = (): number => latestPacked;
  const db = kyselyOver(reader);
  const packed = createPackedDays(db, { log, meter, latestStart });
  const summaries = createStoredSummaries(db, { log, meter });
  const withCheck = checksAtRevision(reader, sealer);
  /** Last journal ID in memory, so it advances no earlier than memory does. */
  let lastJournalId = readJournal(reader, memory, 0);
  let compactedThrough = 0;

  const readsWith = (uncommitted: readonly Result[]): MergedReads =>
    createResultReads(rowsOf({ memory, days, uncommitted }, withCheck), packed, summaries);

  return {
    days,
    readRows: rowsOf({ memory, days, uncommitted: [] }, withCheck).read,
    storeResults: (results) => ({
      sql: "INSERT INTO result_journal (results) VALUES (?)",
      parameters: [JSON.stringify(results.map(toRow))],
    }),
    addCommitted(results, journalId) {
      memory.add(results);
      lastJournalId = journalId;
    },
    reconcile() {
      lastJournalId = readJournal(reader, memory, lastJournalId);
      days.reconcile();
    },
    uncompacted: memory.added,
    beginCompaction() {
      const { isNew, chunks } = memory.beginCompaction();
      if (isNew) compactedThrough = lastJournalId;
      const emptyJournal: Chunk = {
        results: [],
        write: () =>
          writer.execute({
            sql: "DELETE FROM result_journal WHERE id <= ?",
            parameters: [compactedThrough],
          }),
        committed() {},
      };
      return [...chunks.map((chunk) => compaction(chunk, { memory, days })), emptyJournal];
    },
    willPack(lastAt) {
      latestPacked = Math.max(latestPacked, lastAt);
    },
    with: (uncommitted) => ({
      ...readsWith(uncommitted),
      recent: async (query) =>
        rowsOf({ memory, days, uncommitted }, withCheck).read(query, query.limit),
    }),
    ...readsWith([]),
  };
}

interface ResultStores {
  readonly memory: ResultMemory;
  readonly days: ResultDays;
}

/** Results that are not packed; a crash in the middle of a compaction leaves one in two places. */
function rowsOf(
  { memory, days, uncommitted }: ResultStores & { readonly uncommitted: readonly Result[] },
  withCheck: RowReads["withCheck"],
): RowReads {
  return {
    read(query, limit) {
      const { checkNo, from, to, order } = query;
      const others = uncommitted.filter(
        (result) =>
          result.checkNo === checkNo && result.startedAt >= from && result.startedAt <= to,
      );
      const found = [...others, ...memory.read(query, limit), ...days.read(query, limit)];
      return inOrder(found, order).slice(0, limit);
    },
    latest(checkNos) {
      const recent = new Map<number, LatestResult>();
      const add = ({ checkNo, startedAt, tick, runtimeMs, text, timings }: Result): void => {
        if (startedAt >= (recent.get(checkNo)?.startedAt ?? -Infinity))
          recent.set(checkNo, { startedAt, tick, runtimeMs, text, timings });
      };
      for (const no of checkNos) {
        const last = memory.last(no);
        if (last !== undefined) add(last);
      }
      uncommitted.forEach(add);
      return new Map([...days.latest(checkNos.filter((no) => !recent.has(no))), ...recent]);
    },
    withCheck,
    pageRows: PAGE_ROWS,
  };
}

function latestPackedIn(reader: DatabaseSync): number {
  const at = reader.prepare("SELECT max(last_at) AS at FROM packed_days").get()?.["at"];
  return typeof at === "number" ? at : -Infinity;
}

/** Reads the rows after an ID, and returns the ID of the last. */
function readJournal(reader: DatabaseSync, memory: ResultMemory, after: number): number {
  let lastId = after;
  const journal = reader.prepare("SELECT id, results FROM result_journal WHERE id > ? ORDER BY id");
  for (const { id, results } of journal.iterate(after)) {
    lastId = Number(id);
    const rows: readonly ResultRow[] = JSON.parse(String(results));
    memory.add(rows.map(fromRow));
  }
  return lastId;
}

function compaction(chunk: ResultsByCheck, { memory, days }: ResultStores): Chunk {
  return {
    results: chunk.flatMap(([, results]) => results),
    async write(results) {
      for (const [day, ofDay] of byDay(results)) await days.insert(day, ofDay);
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

/** Adds to results what their check was when they ran. */
function checksAtRevision(
  reader: DatabaseSync,
  sealer: Pick<Sealer, "open">,
): (checkNo: number, results: readonly Result[]) => readonly StoredResult[] {
  const select = reader.prepare(
    "SELECT revision, type, sealed_target, timeout_seconds, interval_minutes FROM check_revisions WHERE check_no = ? ORDER BY revision",
  );
  const unknown = { type: "", timeoutSeconds: 0, intervalMinutes: 0 };
  return (checkNo, results) => {
    const revisions = select.all(checkNo).map(({ sealed_target: sealed, ...row }) => ({
      since: Number(row.revision),
      sealed: sealed instanceof Uint8Array ? sealed : undefined,
      shown: {
        type: String(row.type),
        timeoutSeconds: Number(row.timeout_seconds),
        intervalMinutes: Number(row.interval_minutes),
      },
    }));
    const targetIn = createTargetOpener(sealer);
    return results.map((result) => {
      const then = revisions.findLast(({ since }) => since <= result.revision);
      return { ...unknown, ...then?.shown, target: targetIn(then?.sealed), ...result };
    });
  };
}

/** The results of some checks. */
type ResultsByCheck = readonly (readonly [checkNo: number, results: readonly Result[]])[];

/** Results that are not in the table of their day yet, in memory by check, in the order of their starts. */
type ResultMemory = ReturnType<typeof createResultMemory>;

const CHUNK_ROWS = 400;

function createResultMemory() {
  let recent = new Map<number, Result[]>();
  let compacting = new Map<number, Result[]>();
  let added = 0;

  return {
    add(results: readonly Result[]): void {
      for (const result of results) {
        const known = recent.get(result.checkNo);
        if (known === undefined) recent.set(result.checkNo, [result]);
        else known.splice(positionOf(known, result.startedAt), 0, result);
      }
      added += results.length;
    },
    /** How many were added since the last compaction began. */
    added: (): number => added,
    /** Takes results added so far, or those of an interrupted compaction, in chunks. False for the latter. */
    beginCompaction(): {
      readonly isNew: boolean;
      readonly chunks: readonly ResultsByCheck[];
    } {
      const isNew = compacting.size === 0;
      if (isNew) {
        compacting = recent;
        recent = new Map();
        added = 0;
      }
      return { isNew, chunks: chunksOf(compacting) };
    },
    /** Forgets what is in the tables of its days now. */
    endChunk(chunk: ResultsByCheck): void {
      for (const [checkNo] of chunk) compacting.delete(checkNo);
    },
    read: ({ checkNo, from, to, order }: ResultQuery, limit: number): readonly Result[] =>
      [compacting, recent].flatMap((memory) => {
        const known = memory.get(checkNo) ?? [];
        const within = known.slice(positionOf(known, from), positionOf(known, to + 1));
        return order === "newest" ? within.slice(-limit) : within.slice(0, limit);
      }),
    last: (checkNo: number): Result | undefined =>
      recent.get(checkNo)?.at(-1) ?? compacting.get(checkNo)?.at(-1),
  };
}

/** Returns the index at which a result that started at `startedAt` belongs in a list sorted by start. */
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

function chunksOf(memory: ReadonlyMap<number, readonly Result[]>): readonly ResultsByCheck[] {
  const chunks: (readonly [number, readonly Result[]])[][] = [];
  let rows = Infinity;
  for (const entry of [...memory].toSorted(([one], [other]) => one - other)) {
    if (rows >= CHUNK_ROWS) {
      chunks.push([]);
      rows = 0;
    }
    chunks.at(-1)?.push(entry);
    rows += entry[1].length;
  }
  return chunks;
}
