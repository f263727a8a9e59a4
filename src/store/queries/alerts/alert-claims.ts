import type { Kysely, Selectable } from "kysely";

import type { Alert } from "../../../domain/alert.ts";
import type { AlertWrites } from "../../alerts.ts";
import type { Engine, Lane } from "../engine.ts";
import { toFlag } from "../columns.ts";
import type { Database } from "../tables.ts";
import { claimable, isFirstInLine, isUnclaimed, waiting } from "./alert-line.ts";
import { fromRow } from "./alert-row.ts";
import type { AlertTable } from "./alert-tables.ts";
import { removeUnusedBundles } from "./bundles.ts";
import { delayForGrouping, recordSends } from "./recent-sends.ts";

/** Beyond the limit of a claim: few messages, however many alerts they are about. */
const MAX_GROUPED = 1000;

/** So many times the limit of a claim is looked at, for the lanes of the first may be locked by other notifiers. */
const LANES_AHEAD = 8;

type Claim = Parameters<AlertWrites["claim"]>[0];

/** Locks the lanes of what is due first, so that no two notifiers take alerts to one address at the same time. */
export async function claimAlerts(
  db: Kysely<Database>,
  engine: Engine,
  { leaseMs, limit, grouping = new Map() }: Claim,
): Promise<readonly Alert[]> {
  await removeUnusedBundles(db);
  const lanes = await engine.lockLanes(
    db,
    claimable(db, engine)
      .select(["contact_id", "address_id"])
      .limit(limit * LANES_AHEAD),
    limit,
  );
  if (lanes?.length === 0) return [];
  await delayForGrouping(db, engine, { grouping, lanes });
  const due = await claimable(db, engine, lanes).select(["seq", "bundle"]).limit(limit).execute();
  if (due.length === 0) return [];
  const seqs = new Set(due.map(({ seq }) => seq));
  // All that is due is taken already where there was room for more.
  if (due.length === limit) {
    for (const seq of await bundledWith(db, due)) seqs.add(seq);
    const kinds = [...grouping.keys()];
    for (const seq of await groupedWith(db, engine, { seqs: [...seqs], kinds, lanes }))
      seqs.add(seq);
  }
  const rows = await lease(db, engine, { seqs: [...seqs], leaseMs });
  await recordSends(db, engine, { alerts: rows, grouping });
  return rows.toSorted((one, other) => one.seq - other.seq).map(fromRow);
}

/** Repeats the condition of a claim: what another unit took meanwhile is left out. */
function lease(
  db: Kysely<Database>,
  engine: Engine,
  { seqs, leaseMs }: { readonly seqs: readonly number[]; readonly leaseMs: number },
): Promise<Selectable<AlertTable>[]> {
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
    .where((eb) => isUnclaimed(eb, engine))
    .where((eb) =>
      eb.or([
        eb("bundle", "is not", null),
        eb.and([eb("next_attempt_at", "<=", engine.now()), isFirstInLine(eb)]),
      ]),
    )
    .returningAll()
    .execute();
}

/** Open alerts of the bundles of these. */
async function bundledWith(
  db: Kysely<Database>,
  alerts: readonly Pick<AlertTable, "bundle">[],
): Promise<readonly number[]> {
  const bundles = [...new Set(alerts.flatMap(({ bundle }) => bundle ?? []))];
  const rows = await db
    .selectFrom("alerts")
    .select("seq")
    .where("status", "=", waiting)
    .where("bundle", "in", bundles)
    .execute();
  return rows.map(({ seq }) => seq);
}

interface Grouped {
  readonly seqs: readonly number[];
  readonly kinds: readonly string[];
  readonly lanes: readonly Lane[] | undefined;
}

/** What is due to an address of these too, where alerts to it are grouped. */
async function groupedWith(
  db: Kysely<Database>,
  engine: Engine,
  { seqs, kinds, lanes }: Grouped,
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
    .where("addresses.kind", "in", kinds)
    .execute();
  const found: number[] = [];
  for (const { contact_id, address_id } of addresses) {
    const rows = await claimable(db, engine, lanes)
      .select("seq")
      .where("attempts", "=", 0)
      .where("contact_id", "=", contact_id)
      .where("address_id", "=", address_id)
      .limit(MAX_GROUPED - found.length)
      .execute();
    found.push(...rows.map(({ seq }) => seq));
  }
  return found;
}
