import { sql, type Kysely, type RawBuilder } from "kysely";

import { unansweredMs } from "../../domain/status/subscriber.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { RESULTS_KEPT_DAYS, type SummaryDays } from "../retention.ts";
import { removeUnusedBundles } from "../tables/alerts/bundles.ts";
import { createSwitchReads, createSwitchWrites } from "../tables/checks/switches.ts";
import type { Engine } from "../tables/engine.ts";
import type { Database } from "../tables/database.ts";
import { createChangePurge } from "./change-purge.ts";
import { lifetimes, type RowAge } from "./lifetimes.ts";
import { createPurgeRounds, type PurgeSource } from "./purge-rounds.ts";
import { createServiceDays, type StoreAccess } from "./service-days.ts";

/** Removes what was deleted, or is too old, in units short enough not to delay others. */
export interface Purge {
  /** `isCompacted` says that every result stored before is where it can be purged. */
  readonly runOnce: (isCompacted: boolean) => Promise<void>;
}

/** How an engine purges what only it has. */
export interface EnginePurge {
  /** Results of whole days that ended before that instant. */
  readonly resultsBefore: (at: number) => readonly PurgeSource[];
  /** Deletes up to `limit` compacted results of a check within a transaction, and returns their number. */
  readonly resultsOfCheck: (
    db: Kysely<Database>,
    checkNo: number,
    limit: number,
  ) => Promise<number>;
  /** Returns further sources to purge now. */
  readonly others: () => Promise<readonly PurgeSource[]>;
}

interface Deps {
  readonly access: StoreAccess;
  readonly ofEngine: EnginePurge;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
  /** How long everything is kept that people look back at, but results. */
  readonly historyDays: number;
  readonly summaryDays: SummaryDays;
}

/** Maximum rows per statement, if a chunk has several statements for different tables. */
const STATEMENT_ROWS = 100;

export function createPurge(deps: Deps): Purge {
  const { access, ofEngine, clock, log, historyDays, summaryDays } = deps;
  const { db, inTx, engine } = access;
  const maxDays = Math.max(historyDays, RESULTS_KEPT_DAYS, ...Object.values(summaryDays));
  const serviceDays = createServiceDays({ access, clock, maxDays });
  const changes = createChangePurge(db, clock);
  const switches = createSwitchReads(db);
  const unusedBundles = createUnusedBundles();
  const rounds = createPurgeRounds({ inTx, clock, log });
  /** Checks already gone one round ago, whose last runs have ended since. */
  let gone: readonly number[] = [];
  /** Checks whose results are all compacted. */
  let purgeable: readonly number[] = [];

  const removedChecks: PurgeSource = {
    name: "checks",
    async deleteChunk(unit, { limit, isSpent }) {
      let finished = 0;
      let hasMore = true;
      for (let rows = 0; hasMore && rows < limit && !isSpent(); rows += STATEMENT_ROWS) {
        const checkNo = purgeable[finished];
        hasMore = checkNo !== undefined;
        if (checkNo !== undefined && (await purgeCheck(unit, { engine, ofEngine }, checkNo)))
          finished += 1;
      }
      return { hasMore, committed: () => forget(finished) };
    },
  };
  const forget = (finished: number): void => {
    purgeable = purgeable.slice(finished);
  };

  return {
    async runOnce(isCompacted) {
      await serviceDays.count();
      if (isCompacted) purgeable = gone;
      const keptSince = {
        results: await serviceDays.keptSince(RESULTS_KEPT_DAYS),
        history: await serviceDays.keptSince(historyDays),
        hourly: await serviceDays.keptSince(summaryDays.hourly),
        daily: await serviceDays.keptSince(summaryDays.daily),
      };
      const changesBefore = await changes.forgottenBefore();
      const old = [
        ...oldRows(keptSince),
        ...(changesBefore === undefined ? [] : [oldChanges(changesBefore)]),
      ];
      const sources: PurgeSource[] = [];
      for (const rows of old) if (await exists(db, rows)) sources.push(rowsSource(engine, rows));
      if (keptSince.results !== undefined)
        sources.push(...ofEngine.resultsBefore(keptSince.results));
      sources.push(...(await ofEngine.others()));
      const forgotten = endedSubscribers(engine);
      if (await exists(db, forgotten)) sources.push(rowsSource(engine, forgotten));
      sources.push(unconfirmedSubscribers(engine));
      if (await exists(db, anyBundle)) sources.push(unusedBundles);
      for (const accountId of await switches.listSwitching())
        sources.push(switchedChecks(engine, accountId));
      if (await hasDeletedAccount(db)) sources.push(deletedAccounts(engine));
      if (purgeable.length > 0) sources.push(removedChecks);
      await rounds.run(sources);
      gone = await goneChecks(db);
    },
  };
}

/** Rows of one table to be deleted. */
interface Rows {
  readonly table: string;
  readonly condition: RawBuilder<boolean>;
}

function rowsSource(engine: Engine, rows: Rows): PurgeSource {
  return {
    name: rows.table,
    deleteChunk: async (db, { limit }) => ({
      hasMore: (await deleteRows(db, engine, { ...rows, limit })) === limit,
    }),
  };
}

async function deleteRows(
  db: Kysely<Database>,
  engine: Engine,
  { table, condition, limit }: Rows & { readonly limit: number },
): Promise<number> {
  const pointer = sql.ref(engine.rowPointer);
  const { numAffectedRows = 0n } =
    await sql`delete from ${sql.table(table)} where ${pointer} in (select ${pointer} from ${sql.table(table)} where ${condition} limit ${limit})`.execute(
      db,
    );
  return Number(numAffectedRows);
}

async function exists(db: Kysely<Database>, { table, condition }: Rows): Promise<boolean> {
  const { rows } =
    await sql`select 1 as found from ${sql.table(table)} where ${condition} limit 1`.execute(db);
  return rows.length > 0;
}

const tables = Object.entries(lifetimes);

/** Selects expired rows; none of data that has not been kept long enough. */
export function oldRows(
  keptSince: Readonly<Record<RowAge["kept"], number | undefined>>,
): readonly Rows[] {
  return tables.flatMap(([table, { age }]) => {
    const before = age && keptSince[age.kept];
    if (age === undefined || before === undefined) return [];
    const { since, of = "1 = 1", unless = "1 = 0" } = age;
    const condition = sql<boolean>`${sql.raw(of)} and ${sql.raw(since)} < ${before} and not ${sql.raw(unless)}`;
    return [{ table, condition }];
  });
}

export function oldChanges(before: number): Rows {
  return { table: "changes", condition: sql<boolean>`seq < ${before}` };
}

const anyBundle: Rows = { table: "bundles", condition: sql<boolean>`id > ''` };

/** Continues in the next round where the last one ended. */
function createUnusedBundles(): PurgeSource {
  let after = "";
  return {
    name: "bundles",
    async deleteChunk(db, { limit }) {
      const last = await removeUnusedBundles(db, { after, limit });
      return {
        hasMore: last !== undefined,
        committed() {
          after = last ?? "";
        },
      };
    },
  };
}

/** Completes abandoned switches, for example after a crash. */
function switchedChecks(engine: Engine, accountId: string): PurgeSource {
  return {
    name: "account_switches",
    deleteChunk: async (db) => ({
      hasMore: await createSwitchWrites(db, engine).switchSome(accountId),
    }),
  };
}

const ofDeletedAccount = sql<boolean>`account_id in (select id from accounts where status = 'deleted')`;

function hasDeletedAccount(db: Kysely<Database>): Promise<boolean> {
  return exists(db, { table: "accounts", condition: sql<boolean>`status = 'deleted'` });
}

/** Selects everything of deleted accounts except checks; an account itself follows once its checks are purged. */
export function deletedAccounts(engine: Engine): PurgeSource {
  return {
    name: "accounts",
    async deleteChunk(db, { limit, isSpent }) {
      let rows = 0;
      for (const [table, { account }] of tables) {
        if (account !== true) continue;
        const own = { table, condition: ofDeletedAccount, limit: STATEMENT_ROWS };
        for (let last = STATEMENT_ROWS; last === STATEMENT_ROWS; rows += last) {
          if (rows >= limit || isSpent()) return { hasMore: true };
          last = await deleteRows(db, engine, own);
        }
      }
      await db
        .deleteFrom("accounts")
        .where("status", "=", sql.lit("deleted" as const))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("checks")
                .select("no")
                .whereRef("checks.account_id", "=", "accounts.id"),
            ),
          ),
        )
        .execute();
      return { hasMore: false };
    },
  };
}

/** Some rows by the number of a check, its results first; true once all are gone, and the check itself. */
async function purgeCheck(
  db: Kysely<Database>,
  { engine, ofEngine }: { readonly engine: Engine; readonly ofEngine: EnginePurge },
  checkNo: number,
): Promise<boolean> {
  const limit = STATEMENT_ROWS;
  if ((await ofEngine.resultsOfCheck(db, checkNo, limit)) === limit) return false;
  for (const [table, { check }] of tables) {
    if (check !== true) continue;
    const condition = sql<boolean>`check_no = ${checkNo}`;
    if ((await deleteRows(db, engine, { table, condition, limit })) === limit) return false;
  }
  await db.deleteFrom("checks").where("no", "=", checkNo).execute();
  await db.deleteFrom("removed_checks").where("check_no", "=", checkNo).execute();
  return true;
}

/** Numbers of the checks that were removed: alone, or with their account. */
async function goneChecks(db: Kysely<Database>): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("removed_checks")
    .select("check_no")
    .unionAll(
      db
        .selectFrom("checks")
        .innerJoin("accounts", "accounts.id", "checks.account_id")
        .where("accounts.status", "=", sql.lit("deleted" as const))
        .select("checks.no as check_no"),
    )
    .execute();
  return rows.map(({ check_no }) => check_no);
}

/** Hashes of addresses that may be asked again. */
function endedSubscribers(engine: Engine): {
  readonly table: string;
  readonly condition: RawBuilder<boolean>;
} {
  return {
    table: "page_subscribers",
    condition: sql<boolean>`ends_at <= ${engine.now()} and state = 'ended'`,
  };
}

/** Forgets the addresses of those who did not confirm in time. */
function unconfirmedSubscribers(engine: Engine): PurgeSource {
  return {
    name: "page_subscribers",
    async deleteChunk(db, { limit }) {
      const late = db
        .selectFrom("page_subscribers")
        .select("seq")
        .where("ends_at", "<=", engine.now())
        .where("state", "=", "pending")
        .limit(limit);
      const { numUpdatedRows } = await db
        .updateTable("page_subscribers")
        .set((eb) => ({
          state: "ended" as const,
          sealed: null,
          ends_at: eb("created_at", "+", unansweredMs),
        }))
        .where("seq", "in", late)
        .executeTakeFirst();
      return { hasMore: Number(numUpdatedRows) === limit };
    },
  };
}
