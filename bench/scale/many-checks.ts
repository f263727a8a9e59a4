import type { Kysely } from "kysely";

import { targetWithoutCredentials } from "../../src/domain/target.ts";
import { systemClock } from "../../src/kit/clock.ts";
import type { Sealer } from "../../src/kit/crypto/seal.ts";
import { hash32 } from "../../src/kit/hash.ts";
import { toRow } from "../../src/store/tables/checks/check-row.ts";
import type { Database } from "../../src/store/tables/database.ts";
import { latestTick, type Check } from "../../src/domain/check.ts";
import type { Result } from "../../src/domain/run/result.ts";
import type { Store } from "../../src/store/store.ts";
import { aCheck, anAccount, aResult } from "../../test/record-builders.ts";

const ACCOUNTS = 100;
const ROWS_A_STATEMENT = 500;
const RESULTS_AT_ONCE = 5000;
const MINUTE_MS = 60_000;
/** Age of all checks. */
const AGE_MS = 60 * MINUTE_MS;

const recipients = [{ "5b1f7e6a9c3d2e1f00a1b2c3": { schedule: "All", delay: 1 } }];

/** The check at an index as an account would have it: a page of a server of its own. */
export function ordinaryCheck(index: number): Omit<Check, "no"> {
  const accountId = accountOf(index);
  const id = `${accountId}-${String(index).padStart(8, "0")}`;
  const hex = hash32(id).toString(16).padStart(8, "0");
  const at = systemClock.now() - AGE_MS;
  return aCheck(id, {
    accountId,
    type: "HTTP",
    label: `page ${index} of example`,
    parameters: { target: `https://www${index}.example.net/path/of/page` },
    notifications: recipients,
    uuid: `${hex}-4c1a-4e7b-9f3d-${hex}${String(index % 10_000).padStart(4, "0")}`,
    revisionHash: hex.repeat(4),
    queue: hex.repeat(3),
    createdAt: at,
    modifiedAt: at,
  });
}

function accountOf(index: number): string {
  return `ACCOUNT${String(index % ACCOUNTS).padStart(3, "0")}`;
}

/** Inserts passing checks with a one-minute interval directly as rows, because the API takes minutes for that many. */
export async function fillChecks(
  db: Kysely<Database>,
  sealer: Sealer,
  { count, enabled }: { readonly count: number; readonly enabled: boolean },
): Promise<void> {
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => anAccount(accountOf(index)));
  await db
    .insertInto("accounts")
    .values(
      accounts.map(({ id, createdAt }) => ({
        id,
        parent_id: null,
        name: id,
        status: "active" as const,
        created_at: createdAt,
        time_zone: "+00:00",
        default_regions: '["wlw"]',
        wants_news: 0 as const,
        suppress_all: 0 as const,
        auto_diagnostics: 0 as const,
        recheck_wait: 5,
        default_notifications: "[]",
        branding: null,
      })),
    )
    .execute();
  for (let from = 0; from < count; from += ROWS_A_STATEMENT) {
    const length = Math.min(ROWS_A_STATEMENT, count - from);
    const checks = Array.from({ length }, (_, index) => ({
      ...ordinaryCheck(from + index),
      enabled,
    }));
    await insert(db, sealer, checks);
  }
}

async function insert(
  db: Kysely<Database>,
  sealer: Sealer,
  checks: readonly Omit<Check, "no">[],
): Promise<void> {
  const inserted = await db
    .insertInto("checks")
    .values(checks.map((check) => toRow(check, sealer)))
    .returning(["no", "id"])
    .execute();
  const numbers = new Map(inserted.map(({ no, id }) => [id, no]));
  const numbered = checks.map((check) => ({ ...check, no: numbers.get(check.id) ?? 0 }));
  await db
    .insertInto("check_states")
    .values(numbered.map(({ no }) => ({ ...passing, check_no: no })))
    .execute();
  await db
    .insertInto("check_revisions")
    .values(
      numbered.map((check) => ({
        check_no: check.no,
        revision: check.runRevision,
        sealed_target: sealer.seal(targetWithoutCredentials(check.parameters)),
        type: check.type,
        timeout_seconds: check.timeoutSeconds,
        interval_minutes: check.intervalMinutes,
      })),
    )
    .execute();
  if (numbered.some(({ enabled }) => !enabled)) return;
  await db
    .insertInto("spans")
    .values(
      numbered.map(({ no, createdAt }) => ({
        check_no: no,
        kind: "enabled" as const,
        start_at: createdAt,
      })),
    )
    .execute();
}

const passing = {
  state: "passing",
  known_since: 0,
  down_since: null,
  outage: null,
  outage_since: null,
  failing_locations: null,
} as const;

/** Stores the result of each check's latest tick, as after a short restart. */
export async function storeLatest(store: Store, count: number): Promise<void> {
  const now = systemClock.now();
  const last = (index: number): Result => {
    const { id, intervalMinutes } = ordinaryCheck(index);
    const tick = latestTick(hash32(id), intervalMinutes, now);
    return aResult(index + 1, tick, { tick });
  };
  for (let from = 0; from < count; from += RESULTS_AT_ONCE) {
    const length = Math.min(RESULTS_AT_ONCE, count - from);
    await Promise.all(Array.from({ length }, (_, index) => store.append(last(from + index))));
  }
}
