import type { components } from "../../api/schema.ts";

export interface Days {
  /** The instant at which the first day begins, GMT. */
  readonly start: number;
  readonly bars: Pick<components["schemas"]["DayBars"], "state">;
}

const DAY_MS = 86_400_000;

/** Since when the state of a check is known, as far as bars of days tell; undefined for a check without any verdict. */
export function knownSince({ start, bars }: Days, createdAt: number): number | undefined {
  const first = bars.state.findIndex((state) => state !== "none" && state !== "maintenance");
  if (first < 0) return undefined;
  if (first === 0) return Math.min(start, createdAt);
  const day = start + first * DAY_MS;
  return createdAt > day && createdAt < day + DAY_MS ? createdAt : day;
}
