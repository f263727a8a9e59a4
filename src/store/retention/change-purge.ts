import type { Kysely } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import type { Database } from "../tables/database.ts";

/** Keeps configuration changes for an hour of the monotonic clock; a reader that is further behind reloads everything. */
export interface ChangePurge {
  /** Number of the first kept change; undefined if all are kept. */
  readonly forgottenBefore: () => Promise<number | undefined>;
}

export const CHANGES_KEPT_MS = 3_600_000;
const MARK_INTERVAL_MS = 60_000;

interface Mark {
  readonly at: number;
  readonly seq: number;
}

export function createChangePurge(
  db: Kysely<Database>,
  clock: Pick<Clock, "monotonic">,
): ChangePurge {
  /** The number that the next change would have at most had at some instants, in order. */
  let marks: readonly Mark[] = [];
  return {
    async forgottenBefore() {
      const at = clock.monotonic();
      if (at - (marks.at(-1)?.at ?? -Infinity) >= MARK_INTERVAL_MS) {
        const { newest } = await db
          .selectFrom("changes")
          .select((eb) => eb.fn.max<number | null>("seq").as("newest"))
          .executeTakeFirstOrThrow();
        marks = [...marks, { at, seq: (newest ?? 0) + 1 }];
      }
      const old = marks.findLast((mark) => at - mark.at >= CHANGES_KEPT_MS);
      if (old === undefined) return undefined;
      marks = marks.filter((mark) => mark.at >= old.at);
      return old.seq;
    },
  };
}
