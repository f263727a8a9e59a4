import type { Kysely } from "kysely";

import type { StateReads } from "../../states.ts";
import type { Database } from "../tables.ts";

export function createSpanReads(
  db: Kysely<Database>,
): Pick<StateReads, "listCurrentEvents" | "listEnabledSpans" | "knownSince" | "listDownSpans"> {
  const touching = (checkNo: number, from: number, to: number) =>
    db
      .selectFrom("spans")
      .where("check_no", "=", checkNo)
      .where("start_at", "<", to)
      .where((eb) => eb.or([eb("end_at", "is", null), eb("end_at", ">", from)]))
      // Those of a removed check are still to be purged.
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("check_states")
            .select("check_states.check_no")
            .whereRef("check_states.check_no", "=", "spans.check_no"),
        ),
      )
      .orderBy("start_at")
      .orderBy("seq");
  return {
    async listCurrentEvents(accountId) {
      const rows = await currentEvents(db, accountId).execute();
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
    async knownSince(checkNo) {
      const row = await db
        .selectFrom("check_states")
        .select("known_since")
        .where("check_no", "=", checkNo)
        .executeTakeFirst();
      return row?.known_since ?? undefined;
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
  };
}

/** Checks of an account that are down or disabled, and since when. */
function currentEvents(db: Kysely<Database>, accountId: string) {
  return db
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
    .orderBy("checks.no");
}
