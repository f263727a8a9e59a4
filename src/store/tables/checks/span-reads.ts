import type { Kysely } from "kysely";

import type { DownSpan, Span } from "../../../domain/span.ts";
import type { CurrentEvent, RecentSpan } from "../checks.ts";
import type { Database } from "../database.ts";

export function createSpanReads(db: Kysely<Database>) {
  const touching = (checkNo: number, from: number, to: number) =>
    db
      .selectFrom("spans")
      .where("check_no", "=", checkNo)
      .where("start_at", "<", to)
      .where((eb) => eb.or([eb("end_at", "is", null), eb("end_at", ">", from)]))
      // Spans of a removed check remain until they are purged.
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
    async listCurrentEvents(accountId: string): Promise<readonly CurrentEvent[]> {
      const rows = await currentEvents(db, accountId).execute();
      return rows.map(({ id, label, created_at, down_since, disabled_since }) =>
        down_since === null
          ? { checkId: id, label, kind: "disabled", since: disabled_since ?? created_at }
          : { checkId: id, label, kind: "down", since: down_since },
      );
    },
    /** Stretches that touch [from, to). */
    async listEnabledSpans(checkNo: number, from: number, to: number): Promise<readonly Span[]> {
      const rows = await touching(checkNo, from, to)
        .select(["start_at", "end_at"])
        .where("kind", "=", "enabled")
        .execute();
      return rows.map(({ start_at, end_at }) => ({ start: start_at, end: end_at ?? undefined }));
    },
    /** Returns the start of the first run that led to a verdict; undefined before that. */
    async knownSince(checkNo: number): Promise<number | undefined> {
      const row = await db
        .selectFrom("check_states")
        .select("known_since")
        .where("check_no", "=", checkNo)
        .executeTakeFirst();
      return row?.known_since ?? undefined;
    },
    async listDownSpans(checkNo: number, from: number, to: number): Promise<readonly DownSpan[]> {
      const rows = await touching(checkNo, from, to)
        .select(["start_at", "end_at", "text", "message"])
        .where("kind", "=", "down")
        .execute();
      return rows.map(downSpanFromRow);
    },
  };
}

/** Reads spans of all checks of an account. */
export function createAccountSpanReads(db: Kysely<Database>) {
  return {
    /** The present down span of each check of the account that has one, by its number. */
    async listOpenDownSpans(accountId: string): Promise<ReadonlyMap<number, DownSpan>> {
      const rows = await db
        .selectFrom("checks")
        .innerJoin("spans", "spans.check_no", "checks.no")
        .where("checks.account_id", "=", accountId)
        .where("spans.kind", "=", "down")
        .where("spans.end_at", "is", null)
        .select(["checks.no", "spans.start_at", "spans.end_at", "spans.text", "spans.message"])
        .execute();
      return new Map(rows.map(({ no, ...row }) => [no, downSpanFromRow(row)]));
    },
    /** Down and maintenance spans of the account's checks that began or ended at that time or later, latest first; of more than `limit`, the latest. */
    async listRecentSpans(
      accountId: string,
      from: number,
      limit: number,
    ): Promise<readonly RecentSpan[]> {
      const spans = recentSpans(db, accountId);
      const [open, ended] = await Promise.all([
        spans
          .where("spans.end_at", "is", null)
          .where("spans.start_at", ">=", from)
          .orderBy("spans.start_at", "desc")
          .limit(limit)
          .execute(),
        spans
          .where("spans.end_at", ">=", from)
          .orderBy("spans.end_at", "desc")
          .limit(limit)
          .execute(),
      ]);
      const latest = (row: { start_at: number; end_at: number | null }): number =>
        row.end_at ?? row.start_at;
      return [...open, ...ended]
        .toSorted((one, other) => latest(other) - latest(one))
        .slice(0, limit)
        .map((row) => ({
          ...downSpanFromRow(row),
          checkNo: row.no,
          checkId: row.id,
          label: row.label,
          kind: row.kind === "down" ? "down" : "maintenance",
          isCut: Boolean(row.is_cut),
          acknowledged:
            row.acknowledged_at === null
              ? undefined
              : { at: row.acknowledged_at, by: row.acknowledged_by ?? "" },
        }));
    },
  };
}

interface DownSpanRow {
  readonly start_at: number;
  readonly end_at: number | null;
  readonly text: string;
  readonly message: string;
}

function downSpanFromRow({ start_at, end_at, text, message }: DownSpanRow): DownSpan {
  return { start: start_at, end: end_at ?? undefined, text, message };
}

function recentSpans(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom("checks")
    .innerJoin("spans", "spans.check_no", "checks.no")
    .where("checks.account_id", "=", accountId)
    .where("spans.kind", "in", ["down", "maintenance"])
    .select([
      "checks.no",
      "checks.id",
      "checks.label",
      "spans.kind",
      "spans.start_at",
      "spans.end_at",
      "spans.text",
      "spans.message",
      "spans.acknowledged_at",
      "spans.acknowledged_by",
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("spans as enabled")
            .select("enabled.seq")
            .whereRef("enabled.check_no", "=", "spans.check_no")
            .where("enabled.kind", "=", "enabled")
            .whereRef("enabled.end_at", "=", "spans.end_at"),
        )
        .as("is_cut"),
    );
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
