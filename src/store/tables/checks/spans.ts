import type { Kysely, SelectQueryBuilder, UpdateQueryBuilder, UpdateResult } from "kysely";

import {
  dropUnsent,
  held,
  holdUnsent,
  isOfPresentOutage,
  isOutdatedFirst,
  releaseHeld,
} from "../alerts/holds.ts";
import type { ReopenedBy } from "../checks.ts";
import type { Engine } from "../engine.ts";
import { checksInMaintenance } from "./maintenance-checks.ts";
import type { Database } from "../database.ts";

/** One check that was changed itself, some of an account, or a range of an account's. */
type CheckSelection =
  | { readonly no: number }
  | { readonly nos: readonly number[] }
  | { readonly accountId: string; readonly after: number; readonly upTo: number };

function chosenBy(db: Kysely<Database>, checks: CheckSelection) {
  const all = db.selectFrom("checks");
  if ("no" in checks) return all.where("checks.no", "=", checks.no);
  if ("nos" in checks) return all.where("checks.no", "in", checks.nos);
  return all
    .where("checks.account_id", "=", checks.accountId)
    .where("checks.no", ">", checks.after)
    .where("checks.no", "<=", checks.upTo);
}

/**
 * Brings the spans of checks in line with their switches, their maintenances and their account's status. A check runs exactly
 * while its enabled span is open. When that closes so does the down span, and alerts that were not sent are held, or dropped
 * with their account.
 */
export async function syncSpans(
  db: Kysely<Database>,
  engine: Engine,
  { at, ...checks }: CheckSelection & { readonly at: number },
): Promise<void> {
  const chosen = chosenBy(db, checks);
  await lockStates(db, engine, chosen.select("checks.no"));
  const on = runningOf(db, chosen);
  const off = chosen.select("checks.no").where("checks.no", "not in", on.select("checks.no"));
  if (!("no" in checks)) await raiseRevisions(db, off);
  await syncMaintenanceSpans(db, chosen.select("checks.no"), at);
  await closeSpans(db, at)
    .where("check_no", "in", off)
    .where("kind", "in", ["enabled", "down"])
    .execute();
  await openEnabledSpans(db, on, at);
  await syncAlerts(db, { all: chosen.select("checks.no"), on: on.select("checks.no"), off }, at);
}

/** The first span of a check that was just inserted: it has no other, nor alerts. */
export async function openFirstSpan(db: Kysely<Database>, no: number, at: number): Promise<void> {
  await openEnabledSpans(db, runningOf(db, chosenBy(db, { no })), at);
}

/** Selects the checks that should run. */
function runningOf(db: Kysely<Database>, chosen: ReturnType<typeof chosenBy>) {
  return chosen
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .where("checks.enabled", "=", 1)
    .where("checks.disabled_with_all", "=", 0)
    .where("checks.no", "not in", checksInMaintenance(db))
    .where("accounts.status", "=", "active");
}

async function openEnabledSpans(
  db: Kysely<Database>,
  running: ReturnType<typeof runningOf>,
  at: number,
): Promise<void> {
  await db
    .insertInto("spans")
    .columns(["check_no", "kind", "start_at"])
    .expression(
      running.select((eb) => [
        "checks.no",
        eb.val("enabled" as const).as("kind"),
        eb.cast<number>(eb.val(at), "bigint").as("start_at"),
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Holds alerts of checks that do not run, and releases those that waited only for the check or its account to return. */
async function syncAlerts(
  db: Kysely<Database>,
  { all, on, off }: Readonly<Record<"all" | "on" | "off", NumberedChecks>>,
  at: number,
): Promise<void> {
  const account = await db
    .selectFrom("checks")
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .select("accounts.status")
    .where("checks.no", "in", all)
    .limit(1)
    .executeTakeFirst();
  const status = account?.status;
  if (status === "deleted") {
    await dropUnsent(db, { reason: "account_deleted", at }, (eb) => eb("check_no", "in", all));
  } else if (status === "suspended") {
    await holdUnsent(db, "account_suspended", (eb) => eb("check_no", "in", all));
  } else if (status === "active") {
    await dropUnsent(db, { reason: "outdated", at }, (eb) =>
      eb.and([eb("check_no", "in", off), isOutdatedFirst(eb)]),
    );
    await holdUnsent(db, "disabled", (eb) => eb("check_no", "in", off));
    const ofAll = releaseHeld(db, at).where("check_no", "in", all);
    await ofAll.where("kind", "=", "up").execute();
    await ofAll.where("outage", "is", null).where("check_no", "in", on).execute();
    // One that may have arrived, of an outage that is over: no failure will release it any more.
    await ofAll
      .where("outage", "is not", null)
      .where("possibly_sent", "=", 1)
      .where((eb) => eb.not(isOfPresentOutage(eb)))
      .execute();
    await db
      .updateTable("alerts")
      .set({ reason: "disabled" })
      .where("status", "=", held)
      .where("reason", "=", "account_suspended")
      .where("check_no", "in", all)
      .execute();
  }
}

type NumberedChecks = SelectQueryBuilder<Database, "checks", { no: number }>;

/** A flip of one of them waits, and then finds its check switched off. */
async function lockStates(
  db: Kysely<Database>,
  { lockRows }: Engine,
  checks: NumberedChecks,
): Promise<void> {
  const states = db.selectFrom("check_states").select("check_no").where("check_no", "in", checks);
  await lockRows(states.orderBy("check_no")).execute();
}

/** Results from before a break must not flip the check after it; changing a single check has already raised its revision. */
async function raiseRevisions(db: Kysely<Database>, off: NumberedChecks): Promise<void> {
  await db
    .updateTable("checks")
    .set((eb) => ({
      revision: eb("revision", "+", 1),
      run_revision: eb("run_revision", "+", 1),
    }))
    .where("no", "in", off)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("spans")
          .select("spans.seq")
          .whereRef("spans.check_no", "=", "checks.no")
          .where("spans.kind", "=", "enabled")
          .where("spans.end_at", "is", null),
      ),
    )
    .execute();
}

/** A check has an open span of this kind while a maintenance pauses it. */
async function syncMaintenanceSpans(
  db: Kysely<Database>,
  chosen: NumberedChecks,
  at: number,
): Promise<void> {
  await closeSpans(db, at)
    .where("kind", "=", "maintenance")
    .where("check_no", "in", chosen)
    .where("check_no", "not in", checksInMaintenance(db))
    .execute();
  await db
    .insertInto("spans")
    .columns(["check_no", "kind", "start_at"])
    .expression(
      checksInMaintenance(db)
        .where("maintenance_checks.check_no", "in", chosen)
        .distinct()
        .select((eb) => [
          eb.val("maintenance" as const).as("kind"),
          eb.cast<number>(eb.val(at), "bigint").as("start_at"),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Closes open spans, never before their own start even if the clock was set back. */
export function closeSpans(
  db: Kysely<Database>,
  at: number,
): UpdateQueryBuilder<Database, "spans", "spans", UpdateResult> {
  return db
    .updateTable("spans")
    .set((eb) => ({
      end_at: eb.case().when("start_at", ">", at).then(eb.ref("start_at")).else(eb.val(at)).end(),
    }))
    .where("end_at", "is", null);
}

/** Opens a down span if the check is failing, enabled, unchanged since that revision, and has none open; returns whether it did. */
export async function reopenDownSpan(
  db: Kysely<Database>,
  checkNo: number,
  { since, revision, text, message }: ReopenedBy,
): Promise<boolean> {
  const reopened = await db
    .insertInto("spans")
    .columns(["check_no", "kind", "start_at", "text", "message"])
    .expression((eb) =>
      eb
        .selectFrom("check_states")
        .innerJoin("checks", "checks.no", "check_states.check_no")
        .innerJoin("spans as enabled", "enabled.check_no", "check_states.check_no")
        .where("checks.run_revision", "=", revision)
        .where("check_states.check_no", "=", checkNo)
        .where("check_states.state", "=", "failing")
        .where("enabled.kind", "=", "enabled")
        .where("enabled.end_at", "is", null)
        .select((eb) => [
          "check_states.check_no",
          eb.val("down" as const).as("kind"),
          eb
            .case()
            .when("enabled.start_at", ">", since)
            .then(eb.ref("enabled.start_at"))
            .else(eb.cast<number>(eb.val(since), "bigint"))
            .end()
            .as("start_at"),
          eb.val(text).as("text"),
          eb.val(message).as("message"),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("start_at")
    .executeTakeFirst();
  if (reopened === undefined) return false;
  await db
    .updateTable("check_states")
    .set({ down_since: reopened.start_at })
    .where("check_no", "=", checkNo)
    .execute();
  return true;
}

export async function shiftSpansAfter(
  db: Kysely<Database>,
  at: number,
  byMs: number,
): Promise<void> {
  await db
    .updateTable("check_states")
    .set((eb) => ({ down_since: eb("down_since", "+", byMs) }))
    .where("down_since", ">", at)
    .execute();
  await db
    .updateTable("check_states")
    .set((eb) => ({ known_since: eb("known_since", "+", byMs) }))
    .where("known_since", ">", at)
    .execute();
  await db
    .updateTable("spans")
    .set((eb) => ({ start_at: eb("start_at", "+", byMs) }))
    .where("start_at", ">", at)
    .execute();
  await db
    .updateTable("spans")
    .set((eb) => ({
      end_at: eb
        .case()
        .when(eb("end_at", "+", byMs), "<", eb.ref("start_at"))
        .then(eb.ref("start_at"))
        .else(eb("end_at", "+", byMs))
        .end(),
    }))
    .where("end_at", ">", at)
    .execute();
}
