import type { Insertable, Selectable, SqlBool } from "kysely";

import type { Check, CheckState } from "../../../domain/check.ts";
import { noFailingLocations } from "../../../domain/location.ts";
import { shardOf } from "../../../domain/shard.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { CheckRecord, CheckStateTable, CheckTable } from "../checks.ts";
import { gapFromRow, type GapRow } from "./gaps.ts";
import { checkFlagsFromRow, checkFlagsToRow, muteFromRow, muteToRow, toFlag } from "../columns.ts";

type CheckRow = Selectable<CheckTable> & { readonly in_maintenance: SqlBool };

/** Columns of a check's open gap; null if it has none. */
export type OpenGapRow = {
  readonly [Column in keyof GapRow as `gap_${Column}`]: GapRow[Column] | null;
};

type RecordRow = CheckRow & Selectable<CheckStateTable> & OpenGapRow;

export function recordFromRow(row: RecordRow, sealer: Sealer): CheckRecord {
  return { check: fromRow(row, sealer), state: stateFromRow(row), openGap: openGapFromRow(row) };
}

export function openGapFromRow(row: OpenGapRow): CheckRecord["openGap"] {
  if (row.gap_kind === null) return undefined;
  return gapFromRow({
    kind: row.gap_kind,
    reason: row.gap_reason ?? "",
    message: row.gap_message ?? "",
    first_tick: row.gap_first_tick ?? 0,
    last_tick: row.gap_last_tick ?? 0,
    ticks: row.gap_ticks ?? 0,
  });
}

export function stateFromRow(row: Omit<Selectable<CheckStateTable>, "check_no">): CheckState {
  const { state, down_since, outage, outage_since, acknowledged_at: at } = row;
  return {
    state: state ?? undefined,
    downSince: down_since ?? undefined,
    outage: outage ?? undefined,
    outageSince: outage_since ?? undefined,
    failingLocations: failingLocationsFromRow(row),
    ...(at !== null && {
      acknowledgement: { at, by: row.acknowledged_by ?? "", note: row.acknowledged_note ?? "" },
    }),
  };
}

export function failingLocationsFromRow({
  failing_locations: json,
}: Pick<CheckStateTable, "failing_locations">): CheckState["failingLocations"] {
  return json === null ? noFailingLocations : JSON.parse(json);
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
    recheckWait: row.recheck_wait ?? undefined,
    enabled: row.enabled === 1,
    disabledWithAll: row.disabled_with_all === 1,
    inMaintenance: Boolean(row.in_maintenance),
    ...checkFlagsFromRow(row),
    regions: row.regions === null ? undefined : JSON.parse(row.regions),
    parameters: JSON.parse(sealer.open(row.parameters)),
    notifications: JSON.parse(row.notifications),
    dependsOn: row.depends_on ?? undefined,
    mute: muteFromRow(row.mute),
    quietFirst: row.quiet_first === 1,
    tags: JSON.parse(row.tags),
    description: row.description,
    home: row.home ?? undefined,
    revision: row.revision,
    revisionHash: row.revision_hash,
    runRevision: row.run_revision,
    runChangedAt: row.run_changed_at,
    uuid: row.uuid,
    queue: row.queue,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

export function toRow(
  check: Omit<Check, "no">,
  sealer: Sealer,
): Omit<Insertable<CheckTable>, "no"> {
  return {
    id: check.id,
    shard: shardOf(check.id),
    account_id: check.accountId,
    type: check.type,
    label: check.label,
    interval_minutes: check.intervalMinutes,
    timeout_seconds: check.timeoutSeconds,
    rechecks: check.rechecks ?? null,
    recheck_wait: check.recheckWait ?? null,
    enabled: toFlag(check.enabled),
    disabled_with_all: toFlag(check.disabledWithAll),
    ...checkFlagsToRow(check),
    regions: check.regions === undefined ? null : JSON.stringify(check.regions),
    // guard: checks at rest = Buffer.from(argument)
    parameters: sealer.seal(JSON.stringify(check.parameters)),
    notifications: JSON.stringify(check.notifications),
    depends_on: check.dependsOn ?? null,
    mute: muteToRow(check.mute),
    quiet_first: toFlag(check.quietFirst),
    tags: JSON.stringify(check.tags),
    description: check.description,
    home: check.home ?? null,
    revision: check.revision,
    revision_hash: check.revisionHash,
    run_revision: check.runRevision,
    run_changed_at: check.runChangedAt,
    uuid: check.uuid,
    queue: check.queue,
    created_at: check.createdAt,
    modified_at: check.modifiedAt,
  };
}
