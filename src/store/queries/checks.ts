import { setImmediate } from "node:timers/promises";

import type { Insertable, Kysely, Selectable, SqlBool } from "kysely";

import type { Check, CheckState } from "../../domain/check.ts";
import { targetWithoutCredentials } from "../../domain/target.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { ActiveCheck, CheckReads, CheckRecord, CheckWrites } from "../checks.ts";
import type { ResultReads } from "../results.ts";
import { dropUnsent } from "./alerts.ts";
import { toFlag, muteFromRow, muteToRow } from "./tables.ts";
import type { CheckStateTable, CheckTable, Database } from "./tables.ts";
import { checksInMaintenance } from "./maintenance-checks.ts";
import { syncSpans } from "./spans.ts";

/** Short enough that what else waits for the loop does not feel a page of a long list. */
const PAGE_ROWS = 40;

type RecordRow = CheckRow & Selectable<CheckStateTable>;
type CheckRow = Selectable<CheckTable> & { readonly is_held: SqlBool };
type ActiveRow = RecordRow & { readonly default_regions: string; readonly active_since: number };

export function createChecks(
  db: Kysely<Database>,
  { sealer, lastResult }: { readonly sealer: Sealer; readonly lastResult: ResultReads["last"] },
): CheckReads & CheckWrites {
  const records = db
    .selectFrom("checks")
    .innerJoin("check_states", "check_states.check_no", "checks.no")
    .selectAll("checks")
    .selectAll("check_states")
    .select((eb) => eb("checks.no", "in", checksInMaintenance(db)).as("is_held"));
  const activeRecords = records
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .innerJoin("spans", "spans.check_no", "checks.no")
    .where("spans.kind", "=", "enabled")
    .where("spans.end_at", "is", null)
    .select(["accounts.default_regions", "spans.start_at as active_since"]);

  const toRecord = (row: RecordRow): CheckRecord => ({
    check: fromRow(row, sealer),
    state: stateFromRow(row),
    openGap: row.trouble === null ? undefined : JSON.parse(row.trouble),
  });
  const toActive = async (row: ActiveRow): Promise<ActiveCheck> => {
    const record = toRecord(row);
    const regions: readonly string[] = record.check.regions ?? JSON.parse(row.default_regions);
    const lastTick = (await lastResult(row.no))?.tick;
    return { ...record, regions, activeSince: row.active_since, lastTick };
  };

  const keepRevision = async ({
    no,
    revision,
    type,
    parameters,
    timeoutSeconds,
    intervalMinutes,
  }: Check): Promise<void> => {
    const newest = await db
      .selectFrom("check_revisions")
      .select(["type", "target", "timeout_seconds", "interval_minutes"])
      .where("check_no", "=", no)
      .orderBy("revision", "desc")
      .executeTakeFirst();
    const face = {
      type,
      target: targetWithoutCredentials(parameters),
      timeout_seconds: timeoutSeconds,
      interval_minutes: intervalMinutes,
    };
    const isSame =
      newest?.type === face.type &&
      newest.target === face.target &&
      newest.timeout_seconds === face.timeout_seconds &&
      newest.interval_minutes === face.interval_minutes;
    if (isSame) return;
    await db
      .insertInto("check_revisions")
      .values({ check_no: no, revision, ...face })
      .execute();
  };

  return {
    async find(accountId, id) {
      const row = await records
        .where("checks.account_id", "=", accountId)
        .where("checks.id", "=", id)
        .executeTakeFirst();
      return row && toRecord(row);
    },
    async findById(id) {
      const row = await records.where("checks.id", "=", id).executeTakeFirst();
      return row && toRecord(row);
    },
    async *list(accountId) {
      const ofAccount = records
        .where("checks.account_id", "=", accountId)
        .orderBy("checks.no")
        .limit(PAGE_ROWS);
      for await (const rows of pages((after) =>
        ofAccount.where("checks.no", ">", after).execute(),
      )) {
        yield rows.map(toRecord);
      }
    },
    async *listActive(accountId) {
      let inOrder = activeRecords.orderBy("checks.no").limit(PAGE_ROWS);
      if (accountId !== undefined) inOrder = inOrder.where("checks.account_id", "=", accountId);
      for await (const rows of pages((after) => inOrder.where("checks.no", ">", after).execute())) {
        yield await Promise.all(rows.map(toActive));
      }
    },
    async findActive(no) {
      const row = await activeRecords.where("checks.no", "=", no).executeTakeFirst();
      return row && toActive(row);
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
    async listActiveNumbers(accountId) {
      const rows = await activeRecords
        .clearSelect()
        .select("checks.no")
        .where("checks.account_id", "=", accountId)
        .orderBy("checks.no")
        .execute();
      return rows.map(({ no }) => no);
    },
    async insert(unnumbered) {
      const { no } = await db
        .insertInto("checks")
        .values(toRow(unnumbered, sealer))
        .returning("no")
        .executeTakeFirstOrThrow();
      const check = { ...unnumbered, no };
      await db
        .insertInto("check_states")
        .values({ check_no: no, state: null, down_since: null, outage: null, trouble: null })
        .execute();
      await keepRevision(check);
      await syncSpans(db, { no }, { at: check.createdAt, reason: "disabled" });
      return check;
    },
    async update(check, at) {
      const {
        id: _id,
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
        await db.deleteFrom("holds").where("check_no", "=", check.no).execute();
      await keepRevision(check);
      await syncSpans(db, { no: check.no }, { at, reason: "disabled" });
    },
    async remove(accountId, id, at) {
      const removed = await db
        .deleteFrom("checks")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("no")
        .executeTakeFirst();
      if (removed === undefined) return false;
      await db.insertInto("erasures").values({ check_no: removed.no }).execute();
      await dropUnsent(db, { reason: "deleted", at }).where("check_no", "=", removed.no).execute();
      return true;
    },
    async disableAll(accountId, disable, at) {
      const ofAccount = db.updateTable("checks").where("account_id", "=", accountId);
      const { numUpdatedRows } = disable
        ? await ofAccount
            .set({ disabled_with_all: 1 })
            .where("enabled", "=", 1)
            .where("disabled_with_all", "=", 0)
            .executeTakeFirst()
        : await ofAccount
            .set({ disabled_with_all: 0 })
            .where("disabled_with_all", "=", 1)
            .executeTakeFirst();
      await syncSpans(db, { accountId }, { at, reason: "disabled" });
      return Number(numUpdatedRows);
    },
  };
}

/** Reads by number, a page at a time, and lets the loop turn between two pages. */
async function* pages<Row extends { readonly no: number }>(
  read: (after: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after = 0; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.no;
    await setImmediate();
  }
}

export function stateFromRow({
  state,
  down_since,
  outage,
}: Pick<CheckStateTable, "state" | "down_since" | "outage">): CheckState {
  return {
    state: state ?? undefined,
    downSince: down_since ?? undefined,
    outage: outage ?? undefined,
  };
}

function fromRow(row: CheckRow, sealer: Sealer): Check {
  return {
    no: row.no,
    id: row.id,
    accountId: row.account_id,
    type: row.type,
    label: row.label,
    intervalMinutes: row.interval_minutes,
    timeoutSeconds: row.timeout_seconds,
    rechecks: row.rechecks ?? undefined,
    enabled: row.enabled === 1,
    disabledWithAll: row.disabled_with_all === 1,
    inMaintenance: Boolean(row.is_held),
    public: row.public === 1,
    regions: row.regions === null ? undefined : JSON.parse(row.regions),
    parameters: JSON.parse(sealer.open(row.parameters)),
    notifications: JSON.parse(row.notifications),
    dependsOn: row.depends_on ?? undefined,
    mute: muteFromRow(row.mute),
    diagnose: row.diagnose === 1,
    tags: JSON.parse(row.tags),
    description: row.description,
    home: row.home ?? undefined,
    revision: row.revision,
    revisionHash: row.revision_hash,
    uuid: row.uuid,
    queue: row.queue,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

function toRow(check: Omit<Check, "no">, sealer: Sealer): Omit<Insertable<CheckTable>, "no"> {
  return {
    id: check.id,
    account_id: check.accountId,
    type: check.type,
    label: check.label,
    interval_minutes: check.intervalMinutes,
    timeout_seconds: check.timeoutSeconds,
    rechecks: check.rechecks ?? null,
    enabled: toFlag(check.enabled),
    disabled_with_all: toFlag(check.disabledWithAll),
    public: toFlag(check.public),
    regions: check.regions === undefined ? null : JSON.stringify(check.regions),
    parameters: sealer.seal(JSON.stringify(check.parameters)),
    notifications: JSON.stringify(check.notifications),
    depends_on: check.dependsOn ?? null,
    mute: muteToRow(check.mute),
    diagnose: toFlag(check.diagnose),
    tags: JSON.stringify(check.tags),
    description: check.description,
    home: check.home ?? null,
    revision: check.revision,
    revision_hash: check.revisionHash,
    uuid: check.uuid,
    queue: check.queue,
    created_at: check.createdAt,
    modified_at: check.modifiedAt,
  };
}
