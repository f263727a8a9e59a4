import type { Result } from "../../domain/run/result.ts";
import type { ResultQuery } from "../results.ts";

/** The results of some checks. */
export type ResultsByCheck = readonly (readonly [checkNo: number, results: readonly Result[]])[];

/** Results that are not in the table of their day yet, in memory by check, in the order of their starts. */
export interface ResultMemory {
  readonly add: (results: readonly Result[]) => void;
  /** How many were added since the last compaction began. */
  readonly added: () => number;
  /** Takes what was added so far, or what an interrupted compaction left, in chunks. False where it is the latter. */
  readonly beginCompaction: () => {
    readonly isNew: boolean;
    readonly chunks: readonly ResultsByCheck[];
  };
  /** Forgets what is in the tables of its days now. */
  readonly endChunk: (chunk: ResultsByCheck) => void;
  readonly read: (query: ResultQuery, limit: number) => readonly Result[];
  readonly last: (checkNo: number) => Result | undefined;
}

const CHUNK_ROWS = 400;

export function createResultMemory(): ResultMemory {
  let recent = new Map<number, Result[]>();
  let compacting = new Map<number, Result[]>();
  let added = 0;

  return {
    add(results) {
      for (const result of results) {
        const known = recent.get(result.checkNo);
        if (known === undefined) recent.set(result.checkNo, [result]);
        else known.splice(positionOf(known, result.startedAt), 0, result);
      }
      added += results.length;
    },
    added: () => added,
    beginCompaction() {
      const isNew = compacting.size === 0;
      if (isNew) {
        compacting = recent;
        recent = new Map();
        added = 0;
      }
      return { isNew, chunks: chunksOf(compacting) };
    },
    endChunk(chunk) {
      for (const [checkNo] of chunk) compacting.delete(checkNo);
    },
    read: ({ checkNo, from, to, order }, limit) =>
      [compacting, recent].flatMap((memory) => {
        const known = memory.get(checkNo) ?? [];
        const within = known.slice(positionOf(known, from), positionOf(known, to + 1));
        return order === "newest" ? within.slice(-limit) : within.slice(0, limit);
      }),
    last: (checkNo) => recent.get(checkNo)?.at(-1) ?? compacting.get(checkNo)?.at(-1),
  };
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
