import type { Location } from "../domain/location.ts";
import type { LocationSight } from "./location-sight.ts";
import type { Run } from "./run.ts";
import type { Series } from "./series.ts";

/** What to do about a failure that may come from a location of its own: nothing, ask another location, look again later, or decide again without the blind ones. */
export type Doubt = "none" | "ask_another" | "hold" | "withdrawn";

/**
 * Looks at a failure that is about to be confirmed. Runs of a location that reaches no public target any more decide nothing. One that reaches no
 * target of its own networks is not believed alone; where no other location can be asked it is believed after a hold, for they may really
 * have failed together.
 */
export async function doubtOf(series: Series, sight: LocationSight): Promise<Doubt> {
  const { tracked, runs, ranking } = series;
  let hasWithdrawn = false;
  let isAlone = false;
  for (const [index, run] of runs.entries()) {
    if (run.status !== "failed") continue;
    const side = await sight.blindSide(tracked, run);
    if (side === "public") {
      hasWithdrawn = true;
      runs[index] = {
        status: "undecided",
        location: run.location,
        reason: "offline",
        message: `location ${run.location} seems to be offline: none of its public targets that passed before passes (${run.outcome.message})`,
      };
    }
    isAlone ||= side === "private";
  }
  if (hasWithdrawn) return "withdrawn";
  if (!isAlone || !isOfOneLocation(runs)) return "none";
  return hasUnasked(ranking, runs) ? "ask_another" : "hold";
}

function isOfOneLocation(runs: readonly Run[]): boolean {
  return new Set(runs.flatMap((run) => (run.status === "failed" ? [run.location] : []))).size === 1;
}

function hasUnasked(ranking: readonly Location[], runs: readonly Run[]): boolean {
  return ranking.some(({ code }) => !runs.some(({ location }) => location === code));
}
