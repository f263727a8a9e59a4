import type { DatabaseSync } from "node:sqlite";

import { messageOf } from "../../../kit/errors.ts";
import { MAX_RESULTS } from "../../results/day-format.ts";
import { repack, type RepackedDay } from "../../results/repack.ts";
import { fromRow, type ResultRow } from "../result-row.ts";

export interface PackTask {
  readonly kind: "pack";
  /** The table of the day, and the instant at which it begins. */
  readonly table: string;
  readonly day: number;
  /** Number of the last processed check. */
  readonly after: number;
}

/** Some checks of a day, packed and not written yet. */
export interface PackedPiece {
  readonly days: readonly RepackedDay[];
  readonly notPacked: readonly { readonly checkNo: number; readonly error: string }[];
  /** Number of the last check; undefined if there are no more. */
  readonly last: number | undefined;
}

/** Two days of minutes: 10 to 20 ms, and half of that for the commit. */
const ROWS_A_PIECE = 2880;

/** Reads and packs, and writes nothing: off the main thread. */
export function packPiece(database: DatabaseSync, { table, day, after }: PackTask): PackedPiece {
  const selectNext = database.prepare(
    `SELECT check_no FROM ${table} WHERE check_no > ? ORDER BY check_no LIMIT 1`,
  );
  const selectRows = database.prepare(
    `SELECT * FROM ${table} WHERE check_no = ? ORDER BY started_at LIMIT ${MAX_RESULTS + 1}`,
  );
  selectRows.setReturnArrays(true);
  const selectPacked = database.prepare(
    "SELECT packed FROM packed_days WHERE check_no = ? AND day = ?",
  );
  const packCheck = (checkNo: number): RepackedDay => {
    const rows = rowsOf(selectRows.all(checkNo)).map(fromRow);
    const packed = selectPacked.get(checkNo, day)?.["packed"];
    return repack({
      checkNo,
      day,
      rows,
      packed: packed instanceof Uint8Array ? packed : undefined,
    });
  };

  const days: RepackedDay[] = [];
  const notPacked: { checkNo: number; error: string }[] = [];
  let last = after;
  for (let rows = 0; rows < ROWS_A_PIECE;) {
    const next = selectNext.get(last);
    if (next === undefined) return { days, notPacked, last: undefined };
    last = Number(next["check_no"]);
    try {
      const packed = packCheck(last);
      days.push(packed);
      rows += packed.rows;
    } catch (error) {
      notPacked.push({ checkNo: last, error: messageOf(error) });
      rows = ROWS_A_PIECE;
    }
  }
  return { days, notPacked, last };
}

/** `setReturnArrays` is not in the types. */
function rowsOf(rows: unknown): readonly ResultRow[] {
  return rows as readonly ResultRow[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the table has exactly these columns
}
