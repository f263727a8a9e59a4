import type { Kysely, Updateable } from "kysely";
import type { FailingLocation } from "../../../domain/location.ts";

import type { Acknowledgement } from "../../../domain/alert/acknowledgement.ts";
import { unknownState, type CheckState } from "../../../domain/check.ts";
import { settleAll } from "../../../kit/settle-all.ts";
import { stateFromRow } from "./check-row.ts";
import { createGapReads, createGapWrites } from "./gaps.ts";
import { createDayTimeReads } from "./day-times.ts";
import { createAccountSpanReads, createSpanReads } from "./span-reads.ts";
import { closeSpans, reopenDownSpan, shiftSpansAfter } from "./spans.ts";
import { logChange } from "../changes.ts";
import type { Flip, ReopenedBy, CheckStateTable } from "../checks.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../database.ts";

export function createStateReads(db: Kysely<Database>) {
  return {
    ...createSpanReads(db),
    ...createAccountSpanReads(db),
    ...createDayTimeReads(db),
    ...createGapReads(db),
    async get(checkNo: number): Promise<CheckState> {
      const row = await db
        .selectFrom("check_states")
        .selectAll()
        .where("check_no", "=", checkNo)
        .executeTakeFirst();
      return row === undefined ? unknownState : stateFromRow(row);
    },
  };
}

export function createStateWrites(
  db: Kysely<Database>,
  { engine }: { readonly engine: Pick<Engine, "elementsOf" | "now"> },
) {
  return {
    ...createGapWrites(db, engine),
    /**
     * Moves the check from one state to the other, opens or closes its down span and records the flip. False, and nothing
     * changed, where the check is not in that state any more, is switched off, or has a newer revision.
     */
    async flip(flip: Flip): Promise<boolean> {
      if (!(await changeState(db, flip))) return false;
      await settleAll(
        moveDownSpan(db, flip),
        insertFlip(db, flip),
        logChange(db, engine, { checkNo: flip.checkNo, kind: "state" }),
      );
      return true;
    },
    /** Sets or removes the acknowledgement of an outage; false if it is not the check's current outage. */
    async acknowledge(
      checkNo: number,
      outage: string,
      acknowledgement: Acknowledgement | undefined,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("check_states")
        .set(acknowledgementColumns(acknowledgement))
        .where("check_no", "=", checkNo)
        .where("outage", "=", outage)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await settleAll(
        acknowledgeDownSpan(db, checkNo, acknowledgement),
        logChange(db, engine, { checkNo, kind: "acknowledgement" }),
      );
      return true;
    },
    /** Replaces the locations at which the latest run of the check failed. */
    async setFailingLocations(
      checkNo: number,
      locations: readonly FailingLocation[],
    ): Promise<void> {
      await db
        .updateTable("check_states")
        .set({ failing_locations: locations.length === 0 ? null : JSON.stringify(locations) })
        .where("check_no", "=", checkNo)
        .execute();
      await logChange(db, engine, { checkNo, kind: "state" });
    },
    /** Shifts starts and ends of spans after `at`. */
    shiftTimesAfter: (at: number, byMs: number): Promise<void> => shiftSpansAfter(db, at, byMs),
    /** Opens a down span again for a failing check that was off in between, from no earlier than it was on again; whether it did. */
    async reopenDownSpan(checkNo: number, seen: ReopenedBy): Promise<boolean> {
      if (!(await reopenDownSpan(db, checkNo, seen))) return false;
      await logChange(db, engine, { checkNo, kind: "state" });
      return true;
    },
  };
}

function acknowledgementColumns(
  acknowledgement: Acknowledgement | undefined,
): Updateable<CheckStateTable> {
  const { at = null, by = null, note = null } = acknowledgement ?? {};
  return { acknowledged_at: at, acknowledged_by: by, acknowledged_note: note };
}

async function changeState(
  db: Kysely<Database>,
  { id, checkNo, from, to, since, revision }: Flip,
): Promise<boolean> {
  const failing = to === "failing";
  const { numUpdatedRows } = await db
    .updateTable("check_states")
    .set({
      state: to,
      down_since: failing ? since : null,
      outage: failing ? id : null,
      outage_since: failing ? since : null,
      ...(from === undefined && { known_since: since }),
      ...acknowledgementColumns(undefined),
    })
    .where("check_no", "=", checkNo)
    .where("state", "is not distinct from", from ?? null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("checks")
          .innerJoin("spans", "spans.check_no", "checks.no")
          .innerJoin("accounts", "accounts.id", "checks.account_id")
          .select("checks.no")
          .where("accounts.status", "=", "active")
          .where("checks.no", "=", checkNo)
          .where("checks.run_revision", "=", revision)
          .where("spans.kind", "=", "enabled")
          .where("spans.end_at", "is", null),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function moveDownSpan(
  db: Kysely<Database>,
  { checkNo, to, since, text, message }: Flip,
): Promise<void> {
  if (to === "failing") {
    await db
      .insertInto("spans")
      .values({ check_no: checkNo, kind: "down", start_at: since, end_at: null, text, message })
      .execute();
  } else {
    await closeSpans(db, since)
      .where("check_no", "=", checkNo)
      .where("kind", "=", "down")
      .execute();
  }
}

/** The state forgets the acknowledgement at the end of the outage; its span keeps it. */
async function acknowledgeDownSpan(
  db: Kysely<Database>,
  checkNo: number,
  acknowledgement: Acknowledgement | undefined,
): Promise<void> {
  const { at = null, by = null } = acknowledgement ?? {};
  await db
    .updateTable("spans")
    .set({ acknowledged_at: at, acknowledged_by: by })
    .where("check_no", "=", checkNo)
    .where("kind", "=", "down")
    .where("end_at", "is", null)
    .execute();
}

async function insertFlip(
  db: Kysely<Database>,
  { id, checkNo, from, to, at, since, revision, text, message }: Flip,
): Promise<void> {
  await db
    .insertInto("flips")
    .values({
      id,
      check_no: checkNo,
      from_state: from ?? null,
      to_state: to,
      at,
      since,
      revision,
      text,
      message,
    })
    .execute();
}
