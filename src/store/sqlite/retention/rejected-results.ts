import type { Kysely } from "kysely";

import type { Result } from "../../../domain/run/result.ts";
import type { Clock } from "../../../kit/clock.ts";
import { codeOf, messageOf } from "../../../kit/errors.ts";
import type { Log } from "../../../kit/log.ts";
import type { Meter } from "../../../kit/meter.ts";
import type { Database } from "../../tables/database.ts";

/** Results that no table of a day takes: kept apart with the reason, so that they do not keep the others where they are. */
export type RejectedResults = ReturnType<typeof createRejectedResults>;

interface Deps {
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly meter: Meter;
}

const MAX_KEPT = 1000;

export function createRejectedResults(db: Kysely<Database>, { clock, log, meter }: Deps) {
  let count = 0;
  let latest: { readonly check_no: number; readonly reason: string } | undefined;
  return {
    /** Within a unit. */
    async insert(result: Result, error: unknown): Promise<void> {
      const reason = messageOf(error);
      const { seq } = await db
        .insertInto("rejected_results")
        .values({
          check_no: result.checkNo,
          rejected_at: clock.now(),
          reason,
          result: JSON.stringify(result),
        })
        .returning("seq")
        .executeTakeFirstOrThrow();
      await db
        .deleteFrom("rejected_results")
        .where("seq", "<=", seq - MAX_KEPT)
        .execute();
      count += 1;
      latest = { check_no: result.checkNo, reason };
    },
    /** Says how many there were since the last report, if any. */
    report(): void {
      if (count === 0) return;
      meter.count("store.result_rejected", {}, count);
      log.error("store.result_rejected", { count, latest });
      count = 0;
    },
  };
}

/** Primary result codes (https://www.sqlite.org/rescode.html) that are about the values of a row. */
const ROW_CODES = new Set([18 /* TOOBIG */, 19 /* CONSTRAINT */, 20 /* MISMATCH */]);
const VALUE_ERRORS = new Set([
  "ERR_INVALID_ARG_TYPE",
  "ERR_INVALID_ARG_VALUE",
  "ERR_OUT_OF_RANGE",
  "invalid_input",
]);

/** Returns whether a write failed because of what was written, and would fail again. */
export function isOfTheRow(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== "ERR_SQLITE_ERROR") return VALUE_ERRORS.has(String(code));
  if (typeof error !== "object" || error === null || !("errcode" in error)) return false;
  return typeof error.errcode === "number" && ROW_CODES.has(error.errcode & 0xff);
}
