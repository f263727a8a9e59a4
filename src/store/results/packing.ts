import type { Clock } from "../../kit/clock.ts";
import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";

/** Packs results whose day is over, once a day, in pieces. */
export interface Packing {
  /** Continues packing for a few seconds. */
  readonly runOnce: () => Promise<void>;
}

/** How an engine packs. A cursor is how far it came. */
export interface PackSource<Cursor> {
  /** Packs the next piece after the cursor, from days that ended by `before`; undefined if there is none. */
  readonly packPiece: (after: Cursor | undefined, before: number) => Promise<Cursor | undefined>;
}

interface Deps {
  readonly clock: Pick<Clock, "monotonic">;
  /** The store's clock. */
  readonly now: () => Promise<number>;
}

const DAY_MS = 86_400_000;
/** By this time, results that began before midnight are complete and compacted. */
const AFTER_MIDNIGHT_MS = 3_600_000;
/** Less than the ten seconds between two rounds of housekeeping, in which results are compacted. */
const ROUND_MS = 5000;

/** An interrupted round starts over with results that are not packed yet. Results that cannot be packed, or arrived late, are retried the next day. */
export function createPacking<Cursor>(
  { packPiece }: PackSource<Cursor>,
  { clock, now }: Deps,
): Packing {
  let packedBefore: number | undefined;
  let packing: { readonly before: number; readonly after: Cursor | undefined } | undefined;
  return {
    async runOnce() {
      const before = startOfDay((await now()) - AFTER_MIDNIGHT_MS);
      if (before === packedBefore) return;
      if (packing?.before !== before) packing = { before, after: undefined };
      const until = clock.monotonic() + ROUND_MS;
      do {
        const after = await packPiece(packing.after, before);
        if (after === undefined) {
          packedBefore = before;
          return;
        }
        packing = { before, after };
      } while (clock.monotonic() < until);
    },
  };
}

export function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

export interface DayNotPacked {
  readonly checkNo: number;
  readonly day: number;
  readonly error: unknown;
}

/** Days that stay rows. */
export type PackingReport = ReturnType<typeof createPackingReport>;

export function createPackingReport({ log, meter }: { readonly log: Log; readonly meter: Meter }) {
  return {
    notPacked({ checkNo, day, error }: DayNotPacked): void {
      // The store cannot commit now, or the day has changed meanwhile: neither is about the day, which is packed the next time.
      if (error instanceof Unavailable) throw error;
      if (codeOf(error) === "conflict") return;
      meter.count("store.day_not_packed");
      log.error("store.day_not_packed", { check_no: checkNo, day, error: messageOf(error) });
    },
    packed: (results: number): void => meter.count("store.results_packed", {}, results),
  };
}
