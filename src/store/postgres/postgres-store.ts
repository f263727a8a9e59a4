import { sql, type Kysely, type PostgresPool } from "kysely";

import { defaultLimits, type AccountLimits } from "../../domain/account/limits.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { createFairSemaphore } from "../../kit/concurrency/fair-semaphore.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import type { Log } from "../../kit/log.ts";
import { noMeter, type Meter } from "../../kit/meter.ts";
import { refuseUnfinishedCopy } from "../copy/copy-progress.ts";
import { createPurge } from "../retention/purge.ts";
import type { StoreAccess } from "../retention/service-days.ts";
import { createReads, createUnitQueries, type QueryDeps } from "../tables/queries.ts";
import { withCaches } from "../caches.ts";
import type { Database } from "../tables/database.ts";
import { HISTORY_KEPT_DAYS, SUMMARIES_KEPT_DAYS, type SummaryDays } from "../retention.ts";
import { createSharedWait } from "../shared-commits.ts";
import type { ControllerWrites, Store, Transaction } from "../store.ts";
import { createPostgresChangeFeed, type PostgresChangeFeed } from "./change-feed.ts";
import { kyselyOver } from "./dialect.ts";
import { postgresEngine } from "./engine.ts";
import type { Hold } from "./leases/fenced.ts";
import { createPartitionUpkeep, type PartitionUpkeep } from "./partitions/partition-upkeep.ts";
import { createPartitionedDays, type PartitionedDays } from "./partitions/result-days.ts";
import { createPostgresPurge } from "./postgres-purge.ts";
import { createProcessReports } from "./process-reports.ts";
import { createResultBatches, type ResultBatches } from "./result-batches.ts";
import { createPostgresPacking } from "./result-packing.ts";
import { createResults } from "./results.ts";
import { createTransactions } from "./transactions.ts";
import { createWriteHealth } from "./write-health.ts";

export interface PostgresStoreOptions {
  /** Pool of a database with the store's tables; closed with the store. */
  readonly pool: PostgresPool;
  /** Maximum connections of the pool; 10 by default. */
  readonly connections?: number;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly log: Log;
  /** Measured to the database. */
  readonly roundTripMs?: () => number | undefined;
  /** Called while commits fail. */
  readonly interruptions?: Pick<Interruptions, "begin">;
  /** How long everything is kept that people look back at, but results. */
  readonly historyDays?: number;
  readonly summaryDays?: SummaryDays;
  /** Limits of an account; the store itself bounds only data that no request adds. */
  readonly limits?: AccountLimits;
  readonly meter?: Meter;
  /** Called after a transaction of this process changed something that others may cache or run. */
  readonly changed?: () => void;
}

/** The default of the driver: https://node-postgres.com/apis/pool */
const POOL_CONNECTIONS = 10;
/** Connections for transactions that heartbeats, verdicts, and alerts wait for. */
const CONNECTIONS_OF_NOBODY = 2;
/** Accounts share the connections: each may use as many as it leaves for all others. Transactions without an account never wait for them. */
const UNITS = {
  maxWaiting: 1024,
  maxWaitMs: 10_000,
  refusal: "too many writes of this account are in progress",
};

export interface PostgresStore extends Store {
  /** Returns the writes of a controller, each committed only while the hold is valid. */
  readonly heldBy: (hold: Hold) => ControllerWrites;
  /** Days ahead for which results have a partition. */
  readonly partitionsAhead: () => number;
  /** Looks now for what other processes changed. */
  readonly readChanges: () => Promise<void>;
}

/** The store's queries and claims over PostgreSQL, where units of several processes run at the same time. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { pool, clock, sealer, log, historyDays = HISTORY_KEPT_DAYS } = options;
  const { limits = defaultLimits, meter = noMeter, summaryDays = SUMMARIES_KEPT_DAYS } = options;
  const db = kyselyOver(pool);
  await refuseUnfinishedCopy(db);
  const days = await createPartitionedDays(db);
  // The last that may fail, because it reads on by itself.
  const feed = await createPostgresChangeFeed(db, clock);
  const health = createWriteHealth({ clock, interruptions: options.interruptions });
  const units = createTransactions({ db, pool, clock, days });
  const maxEvidenceBytes = limits.evidence;
  const shared = { engine: postgresEngine, sealer, maxEvidenceBytes, log, meter, days };
  const results = createResults(db, shared);
  const reads = createReads(db, { ...shared, latestResults: results.latest });
  const cached = withCaches({ ...reads, results, changes: feed }, { feed, clock });
  const batching = { db, units, days, gapsClosed: cached.clear };
  const batches = createResultBatches(batching);
  const access: StoreAccess = { db, inTx: (work) => units.run([], work), engine: postgresEngine };
  const partitions = await openPartitions({ ...access, days, clock, log });
  const kept = { partitions, days, clock, log, meter, historyDays, summaryDays };
  const housekeep = createHousekeeping(access, kept);

  const semaphore = createFairSemaphore(clock, {
    ...UNITS,
    slots: Math.max(1, (options.connections ?? POOL_CONNECTIONS) - CONNECTIONS_OF_NOBODY),
  });
  /** Runs as a controller if an ID is given. */
  const inTx = <Value>(
    checks: readonly number[],
    work: (connection: Kysely<Database>) => Promise<Value>,
    controllerId?: string,
  ): Promise<Value> => health.watch(() => units.run(checks, work, controllerId));
  const committed = createCommitted(feed, cached.clear, options.changed);
  const write: Store["write"] = (unit, { checks = [], accountId } = {}) => {
    const run = () => inTx(checks, (connection) => unit(createTransaction(connection, shared)));
    return committed(accountId === undefined ? run() : semaphore.run(accountId, run));
  };
  const wait = createSharedWait(clock);
  const heldBy = (hold: Hold): ControllerWrites => {
    const batchesOf = createBatchesOf(batching);
    return {
      write: (unit, { checks = [] } = {}) =>
        committed(
          hold((id) =>
            inTx(checks, (connection) => unit(createTransaction(connection, shared)), id),
          ),
        ),
      // The hold applies from the start of the wait: another lease of this process must not store the result.
      append: (result, also) =>
        hold(async (id) => {
          if (also?.mayWait === true) await new Promise<void>(wait);
          return health.watch(() => batchesOf(id).append(result, also));
        }),
    };
  };

  return {
    ...cached.reads,
    write,
    heldBy,
    readChanges: feed.passOn,
    async append(result, also) {
      if (also?.mayWait === true) await new Promise<void>(wait);
      return health.watch(() => batches.append(result, also));
    },
    writeError: health.writeError,
    oldestWaitMs: health.oldestWaitMs,
    housekeepingError: partitions.missing,
    partitionsAhead: partitions.daysAhead,
    processReports: createProcessReports(db),
    ...(options.roundTripMs && { roundTripMs: options.roundTripMs }),
    probeWrite: () => health.watch(() => units.run([], probe)),
    runHousekeeping: async () => housekeep(await results.compact()),
    async close() {
      await batches.drained();
      await feed.close();
      await db.destroy();
    },
  };
}

/** What a unit reads and writes over its connection. */
function createTransaction(
  db: Kysely<Database>,
  deps: Omit<QueryDeps, "latestResults"> & Parameters<typeof createResults>[1],
): Transaction {
  const results = createResults(db, deps);
  return { ...createUnitQueries(db, { ...deps, latestResults: results.latest }), results };
}

/** This process learns of its own change before the writer continues, and other processes look for it. */
function createCommitted(
  feed: PostgresChangeFeed,
  clearCaches: () => void,
  changed = (): void => {},
): <Value>(writing: Promise<Value>) => Promise<Value> {
  return async (writing) => {
    const before = feed.count();
    const value = await writing;
    clearCaches();
    await feed.passOn();
    if (feed.count() > before) changed();
    return value;
  };
}

/** A result is stored by the controller that found it, and by no later one of this process. */
function createBatchesOf(
  batching: Parameters<typeof createResultBatches>[0],
): (controllerId: string) => ResultBatches {
  let latest: { readonly id: string; readonly batches: ResultBatches } | undefined;
  return (id) => {
    if (latest?.id !== id)
      latest = { id, batches: createResultBatches({ ...batching, controllerId: id }) };
    return latest.batches;
  };
}

/** The store works without partitions but is not ready. */
async function openPartitions(
  deps: Parameters<typeof createPartitionUpkeep>[0],
): Promise<PartitionUpkeep> {
  const partitions = createPartitionUpkeep(deps);
  await partitions.make().catch((error: unknown) => {
    deps.log.error("store.no_partitions", { error: messageOf(error) });
  });
  return partitions;
}

function createHousekeeping(
  access: StoreAccess,
  deps: Required<
    Pick<PostgresStoreOptions, "clock" | "log" | "meter" | "historyDays" | "summaryDays">
  > & {
    readonly partitions: PartitionUpkeep;
    readonly days: PartitionedDays;
  },
): (isCompacted: boolean) => Promise<void> {
  const { partitions } = deps;
  const packing = createPostgresPacking({ ...access, ...deps });
  const purge = createPurge({
    access,
    ofEngine: createPostgresPurge(access.db, partitions),
    ...deps,
  });
  return async (isCompacted) => {
    // Before all that may fail: results need them tomorrow.
    await partitions.make();
    await purge.runOnce(isCompacted);
    await packing.runOnce();
    await partitions.runOnce();
  };
}

/** Writes a single row that nothing waits for. */
async function probe(db: Kysely<Database>): Promise<void> {
  await sql`insert into meta values ('write_probes', '1') on conflict (key) do update set value = meta.value::bigint + 1`.execute(
    db,
  );
}
