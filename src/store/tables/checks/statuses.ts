import { sql, type Kysely } from "kysely";

import type { CheckStatus } from "../../../domain/run/status.ts";
import { targetWithoutQuery } from "../../../domain/target.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import { memoize } from "../../../kit/net/memoize.ts";
import type { LatestResult, ResultStorage } from "../../results.ts";
import { muteFromRow } from "../columns.ts";
import type { Database } from "../database.ts";
import { checksWithState, pages } from "./check-records.ts";
import { openGapFromRow, stateFromRow } from "./check-row.ts";
import { checksInMaintenance } from "./maintenance-checks.ts";

/** Rows of a list are small: these take some 5 ms. */
const PAGE = { first: 50, most: 250, characters: 524_288 };

interface Deps {
  readonly sealer: Pick<Sealer, "open">;
  readonly latestResults: ResultStorage["latest"];
}

/** Reads check statuses without decrypting all of their data. */
export function createStatusReads(db: Kysely<Database>, { sealer, latestResults }: Deps) {
  const columns = statusColumns(db);
  const parseTags = memoize((text): readonly string[] => JSON.parse(text));
  const openTarget = createTargetReader(sealer);
  return {
    /** Lists check statuses of an account, all or the given ones, oldest first, in pages. With the parameters of the given types. */
    async *listStatuses(
      accountId: string,
      {
        nos,
        ids,
        parametersOf = [],
      }: {
        readonly parametersOf?: readonly string[];
        readonly nos?: readonly number[] | undefined;
        readonly ids?: readonly string[] | undefined;
      },
    ): AsyncIterable<readonly CheckStatus[]> {
      let wanted = columns(parametersOf).where("checks.account_id", "=", accountId);
      if (nos !== undefined) wanted = wanted.where("checks.no", "in", nos);
      if (ids !== undefined) wanted = wanted.where("checks.id", "in", ids);
      const inOrder = wanted.orderBy("checks.no");
      for await (const rows of pages(PAGE, (after, limit) =>
        inOrder
          .where("checks.no", ">", after)
          .where("check_states.check_no", ">", after)
          .limit(limit)
          .execute(),
      )) {
        const latest = await latestResults(rows.map(({ no }) => no));
        yield rows.map((row) =>
          statusFromRow(row, { last: latest.get(row.no), sealer, parseTags, openTarget }),
        );
      }
    },
  };
}

/** Built once for the types whose parameters are wanted. */
function statusColumns(db: Kysely<Database>) {
  return (parametersOf: readonly string[]) =>
    checksWithState(db)
      .leftJoin("spans as enabled", (join) =>
        join
          .onRef("enabled.check_no", "=", "checks.no")
          .on("enabled.kind", "=", "enabled")
          .on("enabled.end_at", "is", null),
      )
      .select([
        "checks.no",
        "checks.id",
        "checks.type",
        "checks.label",
        "checks.interval_minutes",
        "checks.rechecks",
        "checks.tags",
        "checks.mute",
        "checks.depends_on",
        "checks.created_at",
        "enabled.start_at as active_since",
      ])
      .selectAll("check_states")
      .select((eb) => [
        eb("checks.no", "in", checksInMaintenance(db)).as("in_maintenance"),
        eb
          .case()
          // An empty list is no SQL.
          .when("checks.type", "in", ["", ...parametersOf])
          .then(eb.ref("checks.parameters"))
          .else(sql<null>`null`)
          .end()
          .as("parameters"),
        lastSpanEnd(db, "down").as("last_down"),
        lastSpanEnd(db, "enabled").as("last_active"),
        db
          .selectFrom("check_revisions")
          .where("check_revisions.check_no", "=", sql.ref<number>("checks.no"))
          .select("sealed_target")
          .orderBy("revision", "desc")
          .limit(1)
          .as("sealed_target"),
      ]);
}

function lastSpanEnd(db: Kysely<Database>, kind: "down" | "enabled") {
  return db
    .selectFrom("spans")
    .where("spans.check_no", "=", sql.ref<number>("checks.no"))
    .where("spans.kind", "=", kind)
    .select("spans.end_at")
    .orderBy("spans.start_at", "desc")
    .limit(1);
}

type StatusRow = Awaited<
  ReturnType<ReturnType<ReturnType<typeof statusColumns>>["execute"]>
>[number];

interface Found {
  readonly last: LatestResult | undefined;
  readonly sealer: Pick<Sealer, "open">;
  readonly parseTags: (text: string) => readonly string[];
  readonly openTarget: (sealed: Uint8Array) => string;
}

/** Some megabytes. */
const MAX_OPENED = 50_000;
const NONCE_BYTES = 12;

/** Decrypting takes 25 µs, so targets are cached by a key that is unique. */
function createTargetReader({ open }: Pick<Sealer, "open">): Found["openTarget"] {
  const opened = new Map<string, string>();
  return (sealed) => {
    const key = Buffer.from(sealed.subarray(0, NONCE_BYTES)).toString("latin1");
    const known = opened.get(key);
    if (known !== undefined) return known;
    const target = targetWithoutQuery({ target: open(sealed) });
    if (opened.size >= MAX_OPENED) opened.clear();
    opened.set(key, target);
    return target;
  };
}

function statusFromRow(
  row: StatusRow,
  { last, sealer, parseTags, openTarget }: Found,
): CheckStatus {
  const { state, downSince, outage, acknowledgement, failingLocations } = stateFromRow(row);
  const gap = openGapFromRow(row);
  const { sealed_target: target, parameters } = row;
  return {
    no: row.no,
    id: row.id,
    type: row.type,
    label: row.label,
    intervalMinutes: row.interval_minutes,
    rechecks: row.rechecks ?? undefined,
    tags: parseTags(row.tags),
    mute: muteFromRow(row.mute),
    dependsOn: row.depends_on ?? undefined,
    inMaintenance: Boolean(row.in_maintenance),
    createdAt: row.created_at,
    activeSince: row.active_since ?? undefined,
    lastActive: row.last_active ?? undefined,
    state,
    downSince,
    outage,
    acknowledgement,
    failingLocations,
    lastDown: row.last_down ?? undefined,
    gap: gap && {
      kind: gap.kind,
      reason: gap.reason,
      message: gap.message,
      since: gap.firstTick,
      ticks: gap.ticks,
    },
    last: last && {
      startedAt: last.startedAt,
      runtimeMs: last.runtimeMs,
      text: last.text,
      timings: last.timings,
    },
    target: () => (target === null ? "" : openTarget(target)),
    parameters: () => (parameters === null ? {} : JSON.parse(sealer.open(parameters))),
  };
}
