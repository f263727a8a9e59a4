import { setImmediate } from "node:timers/promises";

import type { Kysely } from "kysely";

import type { Check } from "../../../domain/check.ts";
import { SHARDS } from "../../../domain/shard.ts";
import { targetWithoutCredentials } from "../../../domain/target.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { ActiveCheck, CheckReads, CheckWrites } from "../../checks.ts";
import type { ResultStorage } from "../../results.ts";
import { dropUnsent } from "../alerts/holds.ts";
import { recordFromRow, sharingParse, toRow } from "./check-row.ts";
import type { RecordRow } from "./check-row.ts";
import type { Engine } from "../engine.ts";
import { latestCertificates } from "./evidence.ts";
import { createDependencyReads } from "./dependencies.ts";
import { open } from "./gaps.ts";
import { checksInMaintenance } from "./maintenance-checks.ts";
import { syncSpans } from "./spans.ts";
import { createSwitches } from "./switches.ts";
import type { CheckTable, Database } from "../tables.ts";

/** Short enough that a page of a long list does not delay other work of the event loop: opening and writing takes 10 ms for a mebibyte. */
const PAGE = { first: 8, most: 40, characters: 524_288 };
/** A statement costs as much as 40 of its rows, and on another machine the way there and back; these are mapped some at a time. */
const ACTIVE_PAGE = { ...PAGE, most: 200 };
const MAPPED_AT_ONCE = 40;

interface Deps {
  readonly engine: Engine;
  readonly sealer: Sealer;
  readonly latestResults: ResultStorage["latest"];
}

export function createChecks(db: Kysely<Database>, deps: Deps): CheckReads & CheckWrites {
  return {
    ...createCheckReads(db, deps),
    ...createActiveReads(db, deps),
    ...createDependencyReads(db),
    ...createCheckWrites(db, deps),
    ...createSwitches(db, deps.engine),
  };
}

function records(db: Kysely<Database>) {
  return db
    .selectFrom("checks")
    .innerJoin("check_states", "check_states.check_no", "checks.no")
    .leftJoin("gaps", (join) =>
      join.onRef("gaps.check_no", "=", "checks.no").on("gaps.is_open", "=", open),
    )
    .selectAll("checks")
    .selectAll("check_states")
    .select([
      "gaps.kind as gap_kind",
      "gaps.reason as gap_reason",
      "gaps.message as gap_message",
      "gaps.first_tick as gap_first_tick",
      "gaps.last_tick as gap_last_tick",
      "gaps.ticks as gap_ticks",
    ])
    .select((eb) => eb("checks.no", "in", checksInMaintenance(db)).as("in_maintenance"));
}

function createCheckReads(
  db: Kysely<Database>,
  { sealer }: Deps,
): Pick<CheckReads, "find" | "findById" | "list" | "missingIds"> {
  // Built once: building a query costs as much as running it.
  const allRecords = records(db);
  return {
    async find(accountId, id) {
      const row = await allRecords
        .where("checks.account_id", "=", accountId)
        .where("checks.id", "=", id)
        .executeTakeFirst();
      return row && recordFromRow(row, sealer);
    },
    async findById(id) {
      const row = await allRecords.where("checks.id", "=", id).executeTakeFirst();
      return row && recordFromRow(row, sealer);
    },
    async *list(accountId) {
      const ofAccount = allRecords.where("checks.account_id", "=", accountId).orderBy("checks.no");
      for await (const rows of pages(PAGE, (after, limit) =>
        ofAccount.where("checks.no", ">", after).limit(limit).execute(),
      )) {
        yield rows.map((row) => recordFromRow(row, sealer));
      }
    },
    async missingIds(accountId, ids) {
      const rows = await db
        .selectFrom("checks")
        .select("id")
        .where("account_id", "=", accountId)
        .where("id", "in", ids)
        .execute();
      const known = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !known.has(id));
    },
  };
}

/** One for all that have none. */
const none: ActiveCheck["certificates"] = [];

type ActiveRow = RecordRow & {
  readonly parent_id: string | null;
  readonly default_regions: string;
  readonly active_since: number;
};

function createActiveReads(
  db: Kysely<Database>,
  { sealer, latestResults }: Deps,
): Pick<CheckReads, "listActive" | "findActive" | "listActiveNumbers" | "countDisabled"> {
  const activeRecords = records(db)
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .innerJoin("spans", "spans.check_no", "checks.no")
    .where("spans.kind", "=", "enabled")
    .where("spans.end_at", "is", null)
    // Spans of a suspended or deleted account are closed some at a time.
    .where("accounts.status", "=", "active")
    .select(["accounts.parent_id", "accounts.default_regions", "spans.start_at as active_since"]);
  const toActive = async (rows: readonly ActiveRow[]): Promise<readonly ActiveCheck[]> => {
    if (rows.length === 0) return [];
    const parse = sharingParse();
    const checkNos = rows.map(({ no }) => no);
    const results = await latestResults(checkNos);
    const certificates = await latestCertificates(db, checkNos);
    const active: ActiveCheck[] = [];
    for (const row of rows) {
      if (active.length % MAPPED_AT_ONCE === MAPPED_AT_ONCE - 1) await setImmediate();
      const record = recordFromRow(row, sealer, parse);
      const regions: readonly string[] = record.check.regions ?? parse(row.default_regions);
      const primaryId = row.parent_id ?? row.account_id;
      const { active_since: activeSince } = row;
      const last = results.get(row.no);
      active.push({
        ...record,
        primaryId,
        regions,
        activeSince,
        lastTick: last?.tick,
        lastStartedAt: last?.startedAt,
        certificates: certificates.get(row.no) ?? none,
      });
    }
    return active;
  };
  return {
    async *listActive({ accountId, types, shards } = {}) {
      let inOrder = activeRecords.orderBy("checks.no");
      if (types !== undefined) inOrder = inOrder.where("checks.type", "in", types);
      if (shards !== undefined && shards.length < SHARDS)
        inOrder = inOrder.where("checks.shard", "in", shards);
      if (accountId !== undefined) inOrder = inOrder.where("checks.account_id", "=", accountId);
      for await (const rows of pages(ACTIVE_PAGE, (after, limit) =>
        inOrder.where("checks.no", ">", after).limit(limit).execute(),
      ))
        yield toActive(rows);
    },
    async findActive(no) {
      const [active] = await toActive(await activeRecords.where("checks.no", "=", no).execute());
      return active;
    },
    async listActiveNumbers(accountId) {
      const rows = await activeRecords
        .clearSelect()
        .select("checks.no")
        .where("checks.account_id", "=", accountId)
        .orderBy("checks.no")
        .execute();
      return rows.map(({ no }) => no);
    },
    async countDisabled(accountId) {
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

function createCheckWrites(
  db: Kysely<Database>,
  { engine, sealer }: Deps,
): Pick<CheckWrites, "insert" | "update" | "remove"> {
  return {
    async insert(unnumbered) {
      const { no } = await db
        .insertInto("checks")
        .values(toRow(unnumbered, sealer))
        .returning("no")
        .executeTakeFirstOrThrow();
      const check = { ...unnumbered, no };
      await db
        .insertInto("check_states")
        .values({ check_no: no, state: null, down_since: null, outage: null, outage_since: null })
        .execute();
      await recordRevision(db, check, sealer);
      await syncSpans(db, engine, { no, at: check.createdAt });
      return check;
    },
    async update(check, at) {
      const {
        id: _id,
        shard: _shard,
        account_id: _account,
        uuid: _uuid,
        queue: _queue,
        created_at: _created,
        ...changeable
      } = toRow(check, sealer);
      await db
        .updateTable("checks")
        .set(changeable)
        .where("account_id", "=", check.accountId)
        .where("no", "=", check.no)
        .returning("no")
        .executeTakeFirstOrThrow();
      if (!check.inMaintenance)
        await db.deleteFrom("maintenance_checks").where("check_no", "=", check.no).execute();
      await recordRevision(db, check, sealer);
      await syncSpans(db, engine, { no: check.no, at });
    },
    async remove(accountId, id, at) {
      const removed = await db
        .deleteFrom("checks")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("no")
        .executeTakeFirst();
      if (removed === undefined) return false;
      await db.insertInto("removed_checks").values({ check_no: removed.no }).execute();
      await dropUnsent(db, { reason: "deleted", at }, (eb) => eb("check_no", "=", removed.no));
      return true;
    },
  };
}

/** What results repeat of a check, stored when it changed. */
async function recordRevision(
  db: Kysely<Database>,
  { no, revision, type, parameters, timeoutSeconds, intervalMinutes }: Check,
  sealer: Sealer,
): Promise<void> {
  const newest = await db
    .selectFrom("check_revisions")
    .select(["type", "sealed_target", "timeout_seconds", "interval_minutes"])
    .where("check_no", "=", no)
    .orderBy("revision", "desc")
    .executeTakeFirst();
  const target = targetWithoutCredentials(parameters);
  const shown = {
    type,
    timeout_seconds: timeoutSeconds,
    interval_minutes: intervalMinutes,
  };
  const isSame =
    newest?.type === shown.type &&
    sealer.open(newest.sealed_target) === target &&
    newest.timeout_seconds === shown.timeout_seconds &&
    newest.interval_minutes === shown.interval_minutes;
  if (isSame) return;
  await db
    .insertInto("check_revisions")
    .values({ check_no: no, revision, sealed_target: sealer.seal(target), ...shown })
    .execute();
}

/** Reads by number, a page at a time, and lets the event loop turn between two pages. */
async function* pages<Row extends Pick<CheckTable, "parameters"> & { readonly no: number }>(
  size: typeof PAGE,
  read: (after: number, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after = 0, limit = size.first; ;) {
    const rows = await read(after, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.no;
    limit = nextLimit(rows, size);
    await setImmediate();
  }
}

/** As many as are likely to be one page, by what the last ones had. */
function nextLimit(
  rows: readonly Pick<CheckTable, "parameters">[],
  { most, characters: mostCharacters }: typeof PAGE,
): number {
  const characters = rows.reduce((sum, { parameters }) => sum + parameters.length, 0);
  const fitting = Math.floor((mostCharacters * rows.length) / Math.max(characters, 1));
  return Math.max(1, Math.min(fitting, 2 * rows.length, most));
}
