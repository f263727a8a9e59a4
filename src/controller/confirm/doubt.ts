import type { Location } from "../../domain/location.ts";
import { isNetworkFailure } from "../../domain/run/outcome.ts";
import type { LocationSight, Side } from "./location-sight.ts";
import type { DecidedRun, Run, UndecidedRun } from "./run.ts";
import type { Series } from "./series.ts";

/** What to do about a verdict that may come from a location of its own: nothing, ask another location, look again later, or decide again without the blind ones. */
export type Doubt = "none" | "ask_another" | "hold" | "withdrawn";

/**
 * Looks at runs that are about to change the state, and that would have ended the same at a location without network access. Those of a location
 * that reaches no public target any more decide nothing, and neither do those from a time in which it reached nothing. One that reaches no
 * target of its own networks is not believed alone; where no other location can be asked it is believed after a hold, for they may really
 * have failed together, unless its resolver is silent as well.
 */
export async function doubtOf(series: Series, sight: LocationSight): Promise<Doubt> {
  const { tracked, runs, ranking } = series;
  let hasWithdrawn = false;
  let isAlone = false;
  for (const [index, run] of runs.entries()) {
    if (run.status === "undecided" || !isNetworkFailure(run.outcome)) continue;
    const side = await sight.blindSide(tracked, run);
    const why = whyNot(run, { side, wasBlind: sight.wasBlind(tracked, run) });
    if (why !== undefined) {
      hasWithdrawn = true;
      runs[index] = withdrawn(run, why);
    } else isAlone ||= side === "private";
  }
  if (hasWithdrawn) return "withdrawn";
  if (!isAlone || !isOfOneLocation(runs)) return "none";
  return hasUnasked(ranking, runs) ? "ask_another" : "hold";
}

/** What shows that a run says nothing of its target; undefined where nothing does. */
function whyNot(
  { resolverSilent }: Pick<DecidedRun, "resolverSilent">,
  { side, wasBlind }: { readonly side: Side | undefined; readonly wasBlind: boolean },
): string | undefined {
  if (side === "public") return "none of its public targets that passed before passes";
  if (side === "private" && resolverSilent)
    return "none of its private targets that passed before passes, and its resolver is silent";
  return wasBlind ? "none of its targets passed when this run began" : undefined;
}

function withdrawn({ location, outcome }: DecidedRun, why: string): UndecidedRun {
  const message = `location ${location} seems to be offline: ${why} (${outcome.message})`;
  return { status: "undecided", location, reason: "offline", message };
}

function isOfOneLocation(runs: readonly Run[]): boolean {
  return (
    new Set(runs.flatMap((run) => (run.status === "undecided" ? [] : [run.location]))).size === 1
  );
}

function hasUnasked(ranking: readonly Location[], runs: readonly Run[]): boolean {
  return ranking.some(({ code }) => !runs.some(({ location }) => location === code));
}
