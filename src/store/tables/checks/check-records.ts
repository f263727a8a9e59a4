import { setImmediate } from "node:timers/promises";

import type { Kysely } from "kysely";

import type { Database } from "../database.ts";
import { open } from "./gaps.ts";
import { checksInMaintenance } from "./maintenance-checks.ts";

/** Short enough that a page of a long list does not delay other work of the event loop: opening and writing takes 10 ms for a mebibyte. */
export const PAGE = { first: 8, most: 40, characters: 524_288 };

/** Checks with their state and open gap; of these the gap alone is selected. */
export function checksWithState(db: Kysely<Database>) {
  return db
    .selectFrom("checks")
    .innerJoin("check_states", "check_states.check_no", "checks.no")
    .leftJoin("gaps", (join) =>
      join.onRef("gaps.check_no", "=", "checks.no").on("gaps.is_open", "=", open),
    )
    .select([
      "gaps.kind as gap_kind",
      "gaps.reason as gap_reason",
      "gaps.message as gap_message",
      "gaps.first_tick as gap_first_tick",
      "gaps.last_tick as gap_last_tick",
      "gaps.ticks as gap_ticks",
    ]);
}

/** Checks with their state and what keeps them from running. */
export function records(db: Kysely<Database>) {
  return checksWithState(db)
    .selectAll("checks")
    .selectAll("check_states")
    .select((eb) => eb("checks.no", "in", checksInMaintenance(db)).as("in_maintenance"));
}

/** Reads by number, a page at a time, and lets the event loop turn between two pages. */
export async function* pages<Row extends Measured & { readonly no: number }>(
  size: typeof PAGE,
  read: (after: number, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after = 0, limit = size.first; ;) {
    const rows = await read(after, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.no;
    // guard: pages of checks by size = size.most
    limit = nextLimit(rows, size);
    await setImmediate();
  }
}

interface Measured {
  readonly parameters: Uint8Array | null;
}

/** Returns the number of rows likely to make one page, based on the last ones. */
function nextLimit(
  rows: readonly Measured[],
  { most, characters: maxCharacters }: typeof PAGE,
): number {
  const characters = rows.reduce((sum, { parameters }) => sum + (parameters?.length ?? 0), 0);
  const fitting = Math.floor((maxCharacters * rows.length) / Math.max(characters, 1));
  return Math.max(1, Math.min(fitting, 2 * rows.length, most));
}
