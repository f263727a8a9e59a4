import type { Kysely } from "kysely";

import type { Alert } from "../../../domain/alert/alert.ts";
import type { Grouping, AlertTable } from "../alerts.ts";
import type { Engine, Lane } from "../engine.ts";
import { toFlag } from "../columns.ts";
import type { Database } from "../database.ts";
import { claimable, selectPrimaryId, isToAddresses, selectNotice, waiting } from "./alert-line.ts";
import { fromRow, type AlertRow } from "./alert-row.ts";
import { mayBeGroupedIn, rowMayBeGrouped } from "./grouped-rows.ts";
import { delayForGrouping, joinDelayed, recordSends } from "./recent-sends.ts";

/** Beyond the limit of a claim: few messages, however many alerts they are about. */
const MAX_GROUPED = 1000;

/** Factor by which a claim looks beyond its limit, because other notifiers may have locked the first lanes. */
const LANES_AHEAD = 8;

export interface Claim {
  readonly leaseMs: number;
  readonly limit: number;
  readonly ids?: readonly string[];
  readonly grouping?: Grouping;
  readonly maxGrouped?: number;
}

/** Locks the lanes of what is claimed first, so that no two notifiers take alerts to one address at the same time. */
export async function claimAlerts(
  db: Kysely<Database>,
  engine: Engine,
  { leaseMs, limit, ids, grouping = new Map(), maxGrouped = MAX_GROUPED }: Claim,
): Promise<readonly Alert[]> {
  let query = claimable(db, engine)
    .select(["seq", "contact_id", "address_id"])
    .limit(limit * LANES_AHEAD);
  if (ids !== undefined) query = query.where("id", "in", ids);
  const wanted = await query.execute();
  if (wanted.length === 0) return [];
  const lanes = await lockOldestLanes(db, engine, { lanes: distinctLanes(wanted), limit });
  if (lanes.length === 0) return [];
  const bursts = await delayForGrouping(db, engine, { grouping, lanes });
  const due = await claimable(db, engine)
    .select([
      "seq",
      "bundle",
      "attempts",
      "contact_id",
      "address_id",
      "kind",
      "outage",
      "destination",
    ])
    .where(
      "seq",
      "in",
      wanted.map(({ seq }) => seq),
    )
    .where((eb) => isToAddresses(eb, lanes))
    .limit(limit)
    .execute();
  if (due.length === 0) return [];
  const seqs = new Set(due.map(({ seq }) => seq));
  for (const seq of await bundledWith(db, due)) seqs.add(seq);
  if (grouping.size > 0) {
    const sent = due.filter((row) => rowMayBeGrouped(row, grouping));
    await joinDelayed(db, engine, { bursts, due: sent, grouping });
    const group = { seqs: [...seqs], grouping, limit: maxGrouped };
    for (const seq of await groupedWith(db, engine, group)) seqs.add(seq);
  }
  const rows = await lease(db, engine, { seqs: [...seqs], leaseMs });
  await recordSends(db, engine, { alerts: rows, grouping, bursts });
  return rows.toSorted((one, other) => one.seq - other.seq).map(fromRow);
}

/** Locks up to `limit` of the oldest lanes that no other notifier has locked. */
async function lockOldestLanes(
  db: Kysely<Database>,
  engine: Engine,
  { lanes, limit }: { readonly lanes: readonly Lane[]; readonly limit: number },
): Promise<readonly Lane[]> {
  const locked: Lane[] = [];
  for (let from = 0; from < lanes.length && locked.length < limit; from += limit)
    locked.push(...(await engine.lockLanes(db, lanes.slice(from, from + limit))));
  return locked;
}

function distinctLanes(rows: readonly Lane[]): readonly Lane[] {
  const lanes = new Map(
    rows.map(({ contact_id, address_id }) => [
      `${contact_id} ${address_id}`,
      { contact_id, address_id },
    ]),
  );
  return [...lanes.values()];
}

/** Repeats the condition of a claim: what another unit took meanwhile is left out. */
function lease(
  db: Kysely<Database>,
  engine: Engine,
  { seqs, leaseMs }: { readonly seqs: readonly number[]; readonly leaseMs: number },
): Promise<AlertRow[]> {
  return db
    .updateTable("alerts")
    .set((eb) => ({
      lease_until: eb(engine.now(), "+", leaseMs),
      attempts: eb("attempts", "+", 1),
      // The outcome of an attempt whose lease ran out is unknown.
      possibly_sent: eb
        .case()
        .when("lease_until", "is", null)
        .then(eb.ref("possibly_sent"))
        .else(toFlag(true))
        .end(),
    }))
    .where("seq", "in", seqs)
    .where("status", "=", waiting)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", engine.now())]))
    .where((eb) => eb.or([eb("bundle", "is not", null), eb("claimable_at", "<=", engine.now())]))
    .returningAll()
    .returning((eb) => [selectNotice(eb), selectPrimaryId(eb)])
    .execute();
}

/** Open alerts of the bundles of these. */
async function bundledWith(
  db: Kysely<Database>,
  alerts: readonly Pick<AlertTable, "bundle">[],
): Promise<readonly number[]> {
  const bundles = [...new Set(alerts.flatMap(({ bundle }) => bundle ?? []))];
  if (bundles.length === 0) return [];
  const rows = await db
    .selectFrom("alerts")
    .select("seq")
    .where("status", "=", waiting)
    .where("bundle", "in", bundles)
    .execute();
  return rows.map(({ seq }) => seq);
}

interface Group {
  readonly seqs: readonly number[];
  readonly grouping: Grouping;
  readonly limit: number;
}

/** Includes due alerts to the addresses of these alerts, if they are grouped. */
async function groupedWith(
  db: Kysely<Database>,
  engine: Engine,
  { seqs, grouping, limit }: Group,
): Promise<readonly number[]> {
  const addresses = await db
    .selectFrom("alerts")
    .innerJoin("addresses", (join) =>
      join
        .onRef("addresses.contact_id", "=", "alerts.contact_id")
        .onRef("addresses.id", "=", "alerts.address_id"),
    )
    .select(["alerts.contact_id", "alerts.address_id"])
    .distinct()
    .where("alerts.seq", "in", seqs)
    .where("alerts.attempts", "=", 0)
    .where("addresses.kind", "in", [...grouping.keys()])
    .execute();
  const found: number[] = [];
  for (const { contact_id, address_id } of addresses) {
    const rows = await db
      .selectFrom("alerts")
      .select("seq")
      .where("status", "=", waiting)
      .where("contact_id", "=", contact_id)
      .where("address_id", "=", address_id)
      .where("next_attempt_at", "<=", engine.now())
      .where("claimable_at", "<=", engine.now())
      .where("attempts", "=", 0)
      .where((eb) => mayBeGroupedIn(eb, grouping))
      .orderBy("next_attempt_at")
      .orderBy("seq")
      .limit(Math.max(0, limit - found.length))
      .execute();
    found.push(...rows.map(({ seq }) => seq));
  }
  return found;
}
