import { setImmediate } from "node:timers/promises";

import type { Kysely } from "kysely";

import { SHARDS } from "../../../domain/shard.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { ResultStorage } from "../../results.ts";
import type { ActiveCheck } from "../checks.ts";
import type { Database } from "../database.ts";
import { createActiveMapping, type ActiveMapping, type ActiveRow } from "./active-row.ts";
import { checksWithState, PAGE, pages } from "./check-records.ts";
import { latestCertificates } from "../evidence.ts";

/** A statement costs as much as 40 of its rows, and on another machine the way there and back; these are mapped some at a time. */
const ACTIVE_PAGE = { ...PAGE, most: 200 };
const MAPPED_AT_ONCE = 40;

interface Deps {
  readonly sealer: Sealer;
  readonly latestResults: ResultStorage["latest"];
}

export function createActiveReads(db: Kysely<Database>, deps: Deps) {
  const activeRecords = selectActive(db);
  const fromRow = createActiveMapping(deps.sealer);
  const toActive = (rows: readonly ActiveRow[]): Promise<readonly ActiveCheck[]> =>
    activeOf(rows, db, { ...deps, fromRow });
  return {
    /** Lists checks in pages, for all accounts, types, and shards or the given ones. */
    async *listActive({
      accountId,
      types,
      shards,
    }: {
      readonly accountId?: string | undefined;
      readonly types?: readonly string[] | undefined;
      readonly shards?: readonly number[];
    } = {}): AsyncIterable<readonly ActiveCheck[]> {
      // SQLite returns index order for equal values of this column; for any other it would sort all checks for each page.
      let inOrder = activeRecords.orderBy("spans.check_no");
      if (types !== undefined) inOrder = inOrder.where("checks.type", "in", types);
      if (shards !== undefined && shards.length < SHARDS)
        inOrder = inOrder.where("checks.shard", "in", shards);
      if (accountId !== undefined) inOrder = inOrder.where("checks.account_id", "=", accountId);
      for await (const rows of pages(ACTIVE_PAGE, (after, limit) =>
        // Applied to each table, because PostgreSQL would otherwise read the others from the start for every page.
        inOrder
          .where("checks.no", ">", after)
          .where("check_states.check_no", ">", after)
          .where("spans.check_no", ">", after)
          .limit(limit)
          .execute(),
      ))
        yield toActive(rows);
    },
    /** Also undefined if it has none of the types. */
    async findActive(no: number, types?: readonly string[]): Promise<ActiveCheck | undefined> {
      const one = activeRecords.where("checks.no", "=", no);
      const wanted = types === undefined ? one : one.where("checks.type", "in", types);
      const [active] = await toActive(await wanted.execute());
      return active;
    },
    /** Numbers of the account's active checks. */
    async listActiveNumbers(accountId: string): Promise<readonly number[]> {
      const rows = await activeRecords
        .clearSelect()
        .select("checks.no")
        .where("checks.account_id", "=", accountId)
        .orderBy("checks.no")
        .execute();
      return rows.map(({ no }) => no);
    },
    /** How many checks of the account are disabled, by themselves or with all, and how many are not. */
    async countDisabled(
      accountId: string,
    ): Promise<{ readonly disabled: number; readonly enabled: number }> {
      const { all, enabled } = await db
        .selectFrom("checks")
        .where("account_id", "=", accountId)
        .select((eb) => [
          eb.fn.countAll<number>().as("all"),
          eb.fn
            .countAll<number>()
            .filterWhere("enabled", "=", 1)
            .filterWhere("disabled_with_all", "=", 0)
            .as("enabled"),
        ])
        .executeTakeFirstOrThrow();
      return { disabled: all - enabled, enabled };
    },
  };
}

function selectActive(db: Kysely<Database>) {
  return (
    checksWithState(db)
      .innerJoin("accounts", "accounts.id", "checks.account_id")
      .innerJoin("spans", "spans.check_no", "checks.no")
      .where("spans.kind", "=", "enabled")
      .where("spans.end_at", "is", null)
      // Spans of a suspended or deleted account are closed some at a time.
      .where("accounts.status", "=", "active")
      .select([
        "accounts.parent_id",
        "accounts.default_regions",
        "accounts.recheck_wait as default_recheck_wait",
        "spans.start_at as active_since",
      ])
      .select([
        "checks.no",
        "checks.id",
        "checks.account_id",
        "checks.type",
        "checks.interval_minutes",
        "checks.timeout_seconds",
        "checks.rechecks",
        "checks.recheck_wait",
        "checks.regions",
        "checks.parameters",
        "checks.home",
        "checks.run_revision",
        "checks.run_changed_at",
        "check_states.state",
        "check_states.failing_locations",
      ])
  );
}

async function activeOf(
  rows: readonly ActiveRow[],
  db: Kysely<Database>,
  { fromRow, latestResults }: Pick<Deps, "latestResults"> & { readonly fromRow: ActiveMapping },
): Promise<readonly ActiveCheck[]> {
  if (rows.length === 0) return [];
  const checkNos = rows.map(({ no }) => no);
  const [results, certificates] = await Promise.all([
    latestResults(checkNos),
    latestCertificates(db, checkNos),
  ]);
  const active: ActiveCheck[] = [];
  for (const row of rows) {
    if (active.length % MAPPED_AT_ONCE === MAPPED_AT_ONCE - 1) await setImmediate();
    active.push(
      fromRow(row, { last: results.get(row.no), certificates: certificates.get(row.no) }),
    );
  }
  return active;
}
