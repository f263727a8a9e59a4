import type { Kysely, Selectable } from "kysely";

import { groupWindow } from "../../../domain/alert/alert-grouping.ts";
import type { Grouping, AlertTable, RecentSendTable } from "../alerts.ts";
import { readClock, type Engine, type Lane } from "../engine.ts";
import type { Database } from "../database.ts";
import { isToAddresses, waiting } from "./alert-line.ts";
import { mayBeGroupedIn, rowMayBeGrouped } from "./grouped-rows.ts";

type RecentSend = Selectable<RecentSendTable>;

interface Delay {
  readonly grouping: Grouping;
  readonly lanes: readonly Lane[];
}

/**
 * Delays due alerts to an address soon after a message about another check: by the window of the burst, or by the maximum one if the burst has already named
 * the cause. Returns recent messages to these addresses.
 */
export async function delayForGrouping(
  db: Kysely<Database>,
  engine: Engine,
  { grouping, lanes }: Delay,
): Promise<readonly RecentSend[]> {
  const { now } = engine;
  await db
    .deleteFrom("recent_sends")
    // An alert due at the very end of a burst waits as long again.
    .where((eb) => eb(eb("at", "+", eb(eb.ref("longest_ms"), "*", 2)), "<=", now()))
    .execute();
  if (grouping.size === 0) return [];
  const bursts = await sendsTo(db, lanes);
  for (const burst of bursts) {
    const causes = causesOf(burst);
    if (causes.length > 0) await delay({ db, engine, burst, grouping }, burst.longest_ms, causes);
    await delay({ db, engine, burst, grouping }, burst.wait_ms);
  }
  return bursts;
}

interface Burst {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  readonly burst: RecentSend;
  readonly grouping: Grouping;
}

/** Never longer than `waitMs` after it was due; with `causes`, what has one of them. */
async function delay(
  { db, engine: { now }, burst, grouping }: Burst,
  waitMs: number,
  causes?: readonly string[],
): Promise<void> {
  let delayed = db
    .updateTable("alerts")
    .set((eb) => ({ next_attempt_at: eb("due_at", "+", waitMs) }))
    .where("status", "=", waiting)
    .where("contact_id", "=", burst.contact_id)
    .where("address_id", "=", burst.address_id)
    // No alert is due later than its next attempt: what has waited since before the window is not looked at.
    .where((eb) => eb("next_attempt_at", ">", eb(now(), "-", burst.longest_ms)))
    .where("next_attempt_at", "<=", now())
    .where("lease_until", "is", null)
    .where("attempts", "=", 0)
    .where((eb) => mayBeGroupedIn(eb, grouping))
    .where("due_at", "<", burst.at + burst.longest_ms)
    .where((eb) => eb(eb("due_at", "+", waitMs), ">", now()));
  if (causes !== undefined) delayed = delayed.where("cause", "in", causes);
  if (burst.check_no !== null) delayed = delayed.where("check_no", "!=", burst.check_no);
  await delayed.execute();
}

/** Has what waits for others go with what is sent to its address now. */
export async function joinDelayed(
  db: Kysely<Database>,
  { now }: Engine,
  {
    bursts,
    due,
    grouping,
  }: {
    readonly grouping: Grouping;
    readonly bursts: readonly Lane[];
    readonly due: readonly (Lane & { readonly attempts: number })[];
  },
): Promise<void> {
  const sent = new Set(due.filter(({ attempts }) => attempts === 0).map(laneKeyOf));
  const lanes = bursts.filter((burst) => sent.has(laneKeyOf(burst)));
  if (lanes.length === 0) return;
  await db
    .updateTable("alerts")
    .set({ next_attempt_at: now() })
    .where("status", "=", waiting)
    .where((eb) => isToAddresses(eb, lanes))
    .where("next_attempt_at", ">", now())
    .where("due_at", "<=", now())
    .where("lease_until", "is", null)
    .where("attempts", "=", 0)
    // One with a reason waits for something else.
    .where("reason", "is", null)
    .where((eb) => mayBeGroupedIn(eb, grouping))
    .execute();
}

/** Read on their own, for a join of them with alerts would read all alerts that wait. */
function sendsTo(db: Kysely<Database>, lanes: readonly Lane[]): Promise<RecentSend[]> {
  return db
    .selectFrom("recent_sends")
    .selectAll()
    .where((eb) =>
      eb.or(
        lanes.map(({ contact_id, address_id }) =>
          eb.and([eb("contact_id", "=", contact_id), eb("address_id", "=", address_id)]),
        ),
      ),
    )
    .execute();
}

type Sent = Pick<
  Selectable<AlertTable>,
  | "check_no"
  | "contact_id"
  | "address_id"
  | "attempts"
  | "due_at"
  | "cause"
  | "kind"
  | "outage"
  | "destination"
>;

interface Sends {
  readonly alerts: readonly Sent[];
  readonly grouping: Grouping;
  readonly bursts: readonly RecentSend[];
}

/** Records which addresses are now sent something new. */
export async function recordSends(
  db: Kysely<Database>,
  engine: Engine,
  { alerts, grouping, bursts }: Sends,
): Promise<void> {
  const firstAttempts = alerts.filter(
    (alert) => alert.attempts === 1 && rowMayBeGrouped(alert, grouping),
  );
  if (firstAttempts.length === 0 || grouping.size === 0) return;
  const now = await readClock(db, engine);
  const known = new Map(bursts.map((burst) => [laneKeyOf(burst), burst]));
  for (const [lane, some] of Map.groupBy(firstAttempts, laneKeyOf)) {
    const [first, ...others] = some;
    if (first === undefined) continue;
    const { contact_id, address_id } = first;
    const address = await db
      .selectFrom("addresses")
      .select("kind")
      .where("contact_id", "=", contact_id)
      .where("id", "=", address_id)
      .executeTakeFirst();
    const firstMs = address && grouping.get(address.kind)?.waitMs;
    if (firstMs === undefined) continue;
    const send = {
      at: now,
      check_no: others.length === 0 ? first.check_no : null,
      ...burstWith(some, known.get(lane), firstMs),
    };
    await db
      .insertInto("recent_sends")
      .values({ contact_id, address_id, ...send })
      .onConflict((conflict) => conflict.columns(["contact_id", "address_id"]).doUpdateSet(send))
      .execute();
  }
}

/** Maximum causes kept for a burst; the earliest of a longer one are sent again. */
const MAX_CAUSES = 50;

/** The burst with one more message: a new one where that is about what turned later than the longest window after the last. */
function burstWith(
  alerts: readonly Sent[],
  earlier: RecentSend | undefined,
  firstMs: number,
): Pick<RecentSend, "messages" | "wait_ms" | "longest_ms" | "causes"> {
  const dueAt = Math.min(...alerts.map(({ due_at }) => due_at));
  const burst =
    earlier !== undefined && dueAt < earlier.at + earlier.longest_ms ? earlier : undefined;
  const messages = (burst?.messages ?? 0) + 1;
  const { waitMs, maxMs } = groupWindow(messages, firstMs);
  const causes = new Set([
    ...(burst === undefined ? [] : causesOf(burst)),
    ...alerts.flatMap(({ cause }) => cause ?? []),
  ]);
  return {
    messages,
    wait_ms: waitMs,
    longest_ms: maxMs,
    causes: JSON.stringify([...causes].slice(-MAX_CAUSES)),
  };
}

function causesOf({ causes }: Pick<RecentSend, "causes">): readonly string[] {
  return JSON.parse(causes);
}

function laneKeyOf({ contact_id, address_id }: Lane): string {
  return `${contact_id} ${address_id}`;
}
