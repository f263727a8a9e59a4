/** The longest round trip to PostgreSQL with which everything is on time: docs/scaling.md has the figures. */
export const MAX_ROUND_TRIP_MS = 150;

/** Returns what a slow round trip to the database affects; undefined if it is fast enough. */
export function distanceTrouble(roundTripMs: number | undefined): string | undefined {
  if (roundTripMs === undefined || roundTripMs <= MAX_ROUND_TRIP_MS) return undefined;
  return `a round trip to the database takes ${Math.round(roundTripMs)} ms, and more than ${MAX_ROUND_TRIP_MS} ms delay results and alerts`;
}
