import type { Kysely } from "kysely";

import { unknownState } from "../../domain/check.ts";
import type { StateReads, StateWrites } from "../states.ts";
import { stateFromRow } from "./checks.ts";
import type { Database } from "./tables.ts";
import { closeSpans } from "./spans.ts";

export function createStates(db: Kysely<Database>): StateReads & StateWrites {
  const touching = (checkNo: number, from: number, to: number) =>
    db
      .selectFrom("spans")
      .where("check_no", "=", checkNo)
      .where("start_at", "<", to)
      .where((eb) => eb.or([eb("end_at", "is", null), eb("end_at", ">", from)]))
      .orderBy("start_at")
      .orderBy("seq");

  return {
    async get(checkNo) {
      const row = await db
        .selectFrom("check_states")
        .selectAll()
        .where("check_no", "=", checkNo)
        .executeTakeFirst();
      return row === undefined ? unknownState : stateFromRow(row);
    },
    async listCurrentEvents(accountId) {
      const rows = await db
        .selectFrom("checks")
        .leftJoin("spans as enabled", (join) =>
          join
            .onRef("enabled.check_no", "=", "checks.no")
            .on("enabled.kind", "=", "enabled")
            .on("enabled.end_at", "is", null),
        )
        .leftJoin("spans as down", (join) =>
          join
            .onRef("down.check_no", "=", "checks.no")
            .on("down.kind", "=", "down")
            .on("down.end_at", "is", null),
        )
        .select(["checks.id", "checks.label", "checks.created_at", "down.start_at as down_since"])
        .select((eb) =>
          eb
            .selectFrom("spans")
            .whereRef("spans.check_no", "=", "checks.no")
            .where("spans.kind", "=", "enabled")
            .select((eb) => eb.fn.max("spans.end_at").as("end_at"))
            .as("disabled_since"),
        )
        .where("checks.account_id", "=", accountId)
        .where((eb) => eb.or([eb("enabled.seq", "is", null), eb("down.seq", "is not", null)]))
        .orderBy("checks.no")
        .execute();
      return rows.map(({ id, label, created_at, down_since, disabled_since }) =>
        down_since === null
          ? { checkId: id, label, kind: "disabled", since: disabled_since ?? created_at }
          : { checkId: id, label, kind: "down", since: down_since },
      );
    },
    async listEnabledSpans(checkNo, from, to) {
      const rows = await touching(checkNo, from, to)
        .select(["start_at", "end_at"])
        .where("kind", "=", "enabled")
        .execute();
      return rows.map(({ start_at, end_at }) => ({ start: start_at, end: end_at ?? undefined }));
    },
    async listDownSpans(checkNo, from, to) {
      const rows = await touching(checkNo, from, to)
        .select(["start_at", "end_at", "text", "message"])
        .where("kind", "=", "down")
        .execute();
      return rows.map(({ start_at, end_at, text, message }) => ({
        start: start_at,
        end: end_at ?? undefined,
        text,
        message,
      }));
    },
    async listGaps(checkNo, limit) {
      const rows = await db
        .selectFrom("gaps")
        .selectAll()
        .where("check_no", "=", checkNo)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(({ kind, reason, message, first_tick, last_tick, ticks }) => ({
        kind,
        reason,
        message,
        firstTick: first_tick,
        lastTick: last_tick,
        ticks,
      }));
    },
    async flip({ id, checkNo, from, to, at, since, revision, text, message }) {
      const failing = to === "failing";
      const { numUpdatedRows } = await db
        .updateTable("check_states")
        .set({ state: to, down_since: failing ? since : null, outage: failing ? id : null })
        .where("check_no", "=", checkNo)
        .where("state", "is not distinct from", from ?? null)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom("checks")
              .innerJoin("spans", "spans.check_no", "checks.no")
              .select("checks.no")
              .where("checks.no", "=", checkNo)
              .where("checks.revision", "=", revision)
              .where("spans.kind", "=", "enabled")
              .where("spans.end_at", "is", null),
          ),
        )
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      if (failing) {
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
      return true;
    },
    async reopenDownSpan(checkNo, since, { text, message }) {
      const resumed = await db
        .insertInto("spans")
        .columns(["check_no", "kind", "start_at", "text", "message"])
        .expression((eb) =>
          eb
            .selectFrom("check_states")
            .innerJoin("spans as enabled", "enabled.check_no", "check_states.check_no")
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
      if (resumed === undefined) return;
      await db
        .updateTable("check_states")
        .set({ down_since: resumed.start_at })
        .where("check_no", "=", checkNo)
        .execute();
    },
    async recordGap(checkNo, gap) {
      const last = await latestGap(db, checkNo);
      const state = await db
        .selectFrom("check_states")
        .select("trouble")
        .where("check_no", "=", checkNo)
        .executeTakeFirst();
      const goesOn =
        state !== undefined &&
        state.trouble !== null &&
        last !== undefined &&
        last.kind === gap.kind &&
        last.reason === gap.reason;
      const whole = goesOn
        ? { ...gap, firstTick: last.first_tick, ticks: last.ticks + gap.ticks }
        : gap;
      const { firstTick, lastTick, ...rest } = whole;
      const row = { ...rest, check_no: checkNo, first_tick: firstTick, last_tick: lastTick };
      if (goesOn) await db.updateTable("gaps").set(row).where("seq", "=", last.seq).execute();
      else if (state !== undefined) await db.insertInto("gaps").values(row).execute();
      await db
        .updateTable("check_states")
        .set({ trouble: JSON.stringify(whole) })
        .where("check_no", "=", checkNo)
        .execute();
    },
    async closeGap(checkNo) {
      await db
        .updateTable("check_states")
        .set({ trouble: null })
        .where("check_no", "=", checkNo)
        .where("trouble", "is not", null)
        .execute();
    },
  };
}

function latestGap(db: Kysely<Database>, checkNo: number) {
  return db
    .selectFrom("gaps")
    .selectAll()
    .where("check_no", "=", checkNo)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
}
