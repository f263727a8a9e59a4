import type { Selectable } from "kysely";

import type { Sealer } from "../../../kit/crypto/seal.ts";
import { memoize } from "../../../kit/net/memoize.ts";
import type { ActiveCheck, CheckStateTable, CheckTable } from "../checks.ts";
import type { LocatedCertificate } from "../evidence.ts";
import { failingLocationsFromRow, openGapFromRow, type OpenGapRow } from "./check-row.ts";

export interface ActiveRow
  extends
    Pick<
      Selectable<CheckTable>,
      | "no"
      | "id"
      | "account_id"
      | "type"
      | "interval_minutes"
      | "timeout_seconds"
      | "rechecks"
      | "recheck_wait"
      | "regions"
      | "parameters"
      | "home"
      | "run_revision"
      | "run_changed_at"
    >,
    Pick<Selectable<CheckStateTable>, "state" | "failing_locations">,
    OpenGapRow {
  readonly parent_id: string | null;
  readonly default_regions: string;
  readonly default_recheck_wait: number;
  readonly active_since: number;
}

export type ActiveMapping = (
  row: ActiveRow,
  found: {
    readonly last: { readonly tick: number; readonly startedAt: number } | undefined;
    readonly certificates: readonly LocatedCertificate[] | undefined;
  },
) => ActiveCheck;

/** Shared by all without certificates. */
const none: ActiveCheck["certificates"] = [];

/** A controller keeps all of its checks, so what many have is there once: each text of a row takes 24 bytes and its length. */
export function createActiveMapping(sealer: Pick<Sealer, "open">): ActiveMapping {
  const shared = memoize((text) => text);
  const parse = memoize((text): readonly string[] => JSON.parse(text));
  return (row, { last, certificates = none }) => ({
    check: {
      no: row.no,
      id: row.id,
      accountId: shared(row.account_id),
      type: shared(row.type),
      intervalMinutes: row.interval_minutes,
      timeoutSeconds: row.timeout_seconds,
      rechecks: row.rechecks ?? undefined,
      parameters: JSON.parse(sealer.open(row.parameters)),
      home: row.home === null ? undefined : shared(row.home),
      runRevision: row.run_revision,
      runChangedAt: row.run_changed_at,
    },
    state: stateOf(row),
    failingLocations: failingLocationsFromRow(row),
    openGap: openGapFromRow(row),
    primaryId: shared(row.parent_id ?? row.account_id),
    regions: parse(row.regions ?? row.default_regions),
    recheckWait: row.recheck_wait ?? row.default_recheck_wait,
    activeSince: row.active_since,
    lastTick: last?.tick,
    lastStartedAt: last?.startedAt,
    certificates,
  });
}

/** Returns the state known to the code, which differs from the row's. */
function stateOf({ state }: Pick<ActiveRow, "state">): ActiveCheck["state"] {
  if (state === "passing") return "passing";
  return state === "failing" ? "failing" : undefined;
}
