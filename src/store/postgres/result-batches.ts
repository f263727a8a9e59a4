import type { Kysely } from "kysely";

import type { Result } from "../../domain/run/result.ts";
import { codeOf } from "../../kit/errors.ts";
import type { Database } from "../tables/database.ts";
import { closeGaps } from "../tables/checks/gaps.ts";
import type { AppendEnd, ResultCondition, ResultQuery } from "../results.ts";
import type { Store } from "../store.ts";
import { endUnder, resultsAskedFor } from "../transactions/result-condition.ts";
import type { PartitionedDays } from "./partitions/result-days.ts";
import { insertResults, readRecent } from "./result-rows.ts";
import type { Transactions } from "./transactions.ts";

/** Results that are stored with nothing else: one statement for all that wait, and what arrives meanwhile shares the next. */
export interface ResultBatches extends Pick<Store, "append"> {
  /** Resolves when everything added so far is settled. */
  readonly drained: () => Promise<void>;
}

/** 31,000 rows a second on one connection, where single inserts make 7,400; more in a statement make no more. */
const MAX_ROWS = 500;
/** Limits how many rows are blocked by a row that waits for another transaction. */
const MAX_STATEMENTS = 2;

interface Waiting {
  readonly result: Result;
  readonly closesGap: boolean;
  readonly condition: ResultCondition | undefined;
  readonly resolve: (end: AppendEnd) => void;
  readonly reject: (error: unknown) => void;
}

interface Deps {
  readonly db: Kysely<Database>;
  readonly units: Transactions;
  readonly days: PartitionedDays;
  /** Controller whose check results these are, if only it may store them. */
  readonly controllerId?: string;
  /** Called once gaps of checks are durably closed. */
  readonly gapsClosed: () => void;
}

export function createResultBatches(deps: Deps): ResultBatches {
  let waiting: Waiting[] = [];
  const inFlight = new Set<Promise<void>>();

  const take = async (batch: readonly Waiting[]): Promise<void> => {
    await store(batch, deps);
    setImmediate(next);
  };
  const next = (): void => {
    if (waiting.length === 0 || inFlight.size === MAX_STATEMENTS) return;
    const batch = waiting.slice(0, MAX_ROWS);
    waiting = waiting.slice(MAX_ROWS);
    const stored = take(batch).finally(() => void inFlight.delete(stored));
    inFlight.add(stored);
    next();
  };

  return {
    append: (result, { closesGap = false, condition } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ result, closesGap, condition, resolve, reject });
        // The next turn of the loop, so that every result of this one is in the batch.
        if (waiting.length === 1) setImmediate(next);
      }),
    async drained() {
      while (waiting.length + inFlight.size > 0) {
        next();
        await Promise.all(inFlight);
      }
    },
  };
}

/** Settles each of a batch. A value that the database does not take affects no other: the batch is halved until it is alone. */
async function store(batch: readonly Waiting[], deps: Deps): Promise<void> {
  const { db, units, days, controllerId } = deps;
  const locked = batch.filter(({ closesGap, condition }) => closesGap || condition !== undefined);
  let stored = batch;
  let ends: ReadonlyMap<Waiting, AppendEnd> = new Map();
  try {
    if (locked.length === 0 && controllerId === undefined)
      await days.again(() => insertResults(db, resultsOf(batch), days));
    else
      await units.run(
        locked.map(({ result }) => result.checkNo),
        async (unit) => {
          ends = await endsUnderConditions(unit, locked);
          stored = batch.filter((waiting) => (ends.get(waiting) ?? "stored") === "stored");
          const closing = resultsOf(stored.filter(({ closesGap }) => closesGap));
          if (closing.length > 0)
            await closeGaps(
              unit,
              closing.map(({ checkNo }) => checkNo),
            );
          await insertResults(unit, resultsOf(stored), days);
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
  if (stored.some(({ closesGap }) => closesGap)) deps.gapsClosed();
  for (const waiting of batch) waiting.resolve(ends.get(waiting) ?? "stored");
}

function resultsOf(batch: readonly Waiting[]): readonly Result[] {
  return batch.map(({ result }) => result);
}

/** Stores results with conditions one after the other, with their checks locked. */
async function endsUnderConditions(
  unit: Kysely<Database>,
  locked: readonly Waiting[],
): Promise<ReadonlyMap<Waiting, AppendEnd>> {
  const asked = locked.flatMap(({ result, condition }) =>
    condition === undefined ? [] : [resultsAskedFor(result, condition)],
  );
  const ends = new Map<Waiting, AppendEnd>();
  if (asked.length === 0) return ends;
  const before = await readRecent(unit, onePerCheck(asked));
  for (const waiting of locked) {
    const { result, condition } = waiting;
    const known = before.get(result.checkNo);
    if (condition === undefined) continue;
    // A check that was removed meanwhile has no state, and takes no result.
    const end = known === undefined ? "lost" : endUnder(result, condition, known);
    if (end === "stored") known?.results.push(result);
    ends.set(waiting, end);
  }
  return ends;
}

function onePerCheck(queries: readonly ResultQuery[]): readonly ResultQuery[] {
  const byCheck = new Map<number, ResultQuery>();
  for (const query of queries) {
    const known = byCheck.get(query.checkNo) ?? query;
    byCheck.set(query.checkNo, {
      ...query,
      from: Math.min(known.from, query.from),
      to: Math.max(known.to, query.to),
      limit: Math.max(known.limit, query.limit),
    });
  }
  return [...byCheck.values()];
}

/** Classes of https://www.postgresql.org/docs/current/errcodes-appendix.html: data exception, and integrity constraint violation. */
function isOfAValue(error: unknown): boolean {
  return /^2[23]/.test(String(codeOf(error)));
}
