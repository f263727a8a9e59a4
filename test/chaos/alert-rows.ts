import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { followingKinds, kinds, statuses, type AlertRow } from "./judges/verify-alerts.ts";
import type { Interval } from "./judges/timeline.ts";

export interface Row extends AlertRow {
  readonly check: string;
  readonly account: string;
  readonly contact: string;
  readonly flip: string;
  readonly isHook: boolean;
  /** From its flip to its last attempt. */
  readonly tried: Interval;
}

const LOOK_MS = 500;

/** Gives the rows of a query, as text and numbers. */
export type Query = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Reads the embedded database of a running process. */
export async function settledAlertsIn(data: string, withinMs: number): Promise<readonly Row[]> {
  using database = new DatabaseSync(join(data, "watchpost.db"), { readOnly: true });
  return await settledAlerts(async (text) => database.prepare(text).all(), withinMs);
}

/**
 * Reads the final state of each alert from the database, because the API does not show the address of a dropped one. Alerts that do not end in time are
 * returned as they are.
 */
export async function settledAlerts(query: Query, withinMs: number): Promise<readonly Row[]> {
  const end = systemClock.monotonic() + withinMs;
  const areOpen = async (): Promise<boolean> => {
    const [first] = await query(
      "SELECT 1 FROM alerts WHERE status NOT IN ('delivered', 'failed', 'dropped') LIMIT 1",
    );
    return first !== undefined;
  };
  while ((await areOpen()) && systemClock.monotonic() < end) await sleep(systemClock, LOOK_MS);
  const rows = await query(
    `SELECT alerts.*, addresses.kind AS channel FROM alerts
     LEFT JOIN addresses ON addresses.id = alerts.address_id ORDER BY seq`,
  );
  const offset = systemClock.now() - systemClock.monotonic();
  return rows.map((row) => ({
    _id: String(row.id),
    check: String(row.check_id),
    account: String(row.account_id),
    contact: String(row.contact_id),
    flip: String(row.flip_id),
    type: kindOf(row.kind),
    status: statusOf(row.status),
    reason: typeof row.reason === "string" ? row.reason : "",
    isMissed: row.sent_kind === "missed",
    isHook: row.channel === "webhook",
    tried: { from: Number(row.created_at) - offset, to: Number(row.last_at ?? Infinity) - offset },
  }));
}

function kindOf(kind: unknown): AlertRow["type"] {
  const found = [...kinds, ...followingKinds].find((known) => known === kind);
  if (found === undefined) throw new Error(`no kind of alert: ${String(kind)}`);
  return found;
}

function statusOf(status: unknown): AlertRow["status"] {
  const found = statuses.find((known) => known === status);
  if (found === undefined) throw new Error(`no status of an alert: ${String(status)}`);
  return found;
}
