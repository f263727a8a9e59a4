import type { Kysely } from "kysely";

import type { Result } from "../../domain/run/result.ts";
import { codeOf } from "../../kit/errors.ts";
import type { Database } from "../queries/tables.ts";
import { closeGaps } from "../queries/checks/gaps.ts";
import type { Store } from "../store.ts";
import type { ResultDays } from "./partitions/result-days.ts";
import { insertResults } from "./result-rows.ts";
import type { Units } from "./units.ts";

/** Results that are stored with nothing else: one statement for all that wait, and what arrives meanwhile shares the next. */
export interface ResultBatches extends Pick<Store, "append"> {
  /** Resolves once everything added so far is settled. */
  readonly drained: () => Promise<void>;
}

/** 31,000 rows a second on one connection, where single inserts make 7,400; more in a statement make no more. */
const MOST_ROWS = 500;
/** So that a row that waits for another transaction does not hold up all others. */
const MOST_STATEMENTS = 2;

interface Waiting {
  readonly result: Result;
  readonly closesGap: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Deps {
  readonly db: Kysely<Database>;
  readonly units: Units;
  readonly days: ResultDays;
  /** Whose results these are, where only the controller of their checks may store them. */
  readonly controllerId?: string;
  /** Called once gaps of checks are closed for good. */
  readonly gapsClosed: () => void;
}

export function createResultBatches(deps: Deps): ResultBatches {
  let waiting: Waiting[] = [];
  const underWay = new Set<Promise<void>>();

  const take = async (batch: readonly Waiting[]): Promise<void> => {
    await store(batch, deps);
    setImmediate(next);
  };
  const next = (): void => {
    if (waiting.length === 0 || underWay.size === MOST_STATEMENTS) return;
    const batch = waiting.slice(0, MOST_ROWS);
    waiting = waiting.slice(MOST_ROWS);
    const stored = take(batch).finally(() => void underWay.delete(stored));
    underWay.add(stored);
    next();
  };

  return {
    append: (result, { closesGap = false } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ result, closesGap, resolve, reject });
        // The next turn of the loop, so that every result of this one is in the batch.
        if (waiting.length === 1) setImmediate(next);
      }),
    async drained() {
      while (waiting.length + underWay.size > 0) {
        next();
        await Promise.all(underWay);
      }
    },
  };
}

/** Settles each of a batch. A value that the database does not take affects no other: the batch is halved until it is alone. */
async function store(batch: readonly Waiting[], deps: Deps): Promise<void> {
  const { db, units, days, controllerId, gapsClosed } = deps;
  const results = batch.map(({ result }) => result);
  const closing = batch.flatMap(({ result, closesGap }) => (closesGap ? [result.checkNo] : []));
  try {
    if (closing.length === 0 && controllerId === undefined)
      await days.again(() => insertResults(db, results, days));
    else
      await units.run(
        closing,
        async (unit) => {
          if (closing.length > 0) await closeGaps(unit, closing);
          await insertResults(unit, results, days);
        },
        controllerId,
      );
  } catch (error) {
    if (batch.length > 1 && isOfAValue(error)) {
      const half = Math.ceil(batch.length / 2);
      await store(batch.slice(0, half), deps);
      await store(batch.slice(half), deps);
    } else for (const { reject } of batch) reject(error);
    return;
  }
  if (closing.length > 0) gapsClosed();
  for (const { resolve } of batch) resolve();
}

/** Classes of https://www.postgresql.org/docs/current/errcodes-appendix.html: data exception, and integrity constraint violation. */
function isOfAValue(error: unknown): boolean {
  return /^2[23]/.test(String(codeOf(error)));
}
