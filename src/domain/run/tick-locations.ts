import { rechecksOf, type RunningCheck } from "../check.ts";
import { noFailingLocations, type FailingLocation, type Location } from "../location.ts";
import type { Outcome } from "./outcome.ts";
import type { RunStatus, State } from "./verdict.ts";

const MINUTE_MS = 60_000;

/** The locations at which ticks of the check begin: those of a ranking in turn, or its home alone. */
export function startsOfTicks<Ranked extends Location>(
  ranking: readonly Ranked[],
  home: string | undefined,
): readonly Ranked[] {
  return ranking[0]?.code === home ? ranking.slice(0, 1) : ranking;
}

interface DueTick {
  readonly check: Pick<RunningCheck, "home" | "intervalMinutes" | "rechecks">;
  readonly state: State | undefined;
  readonly failingLocations: readonly FailingLocation[];
  readonly tick: number;
}

/**
 * Returns the order in which a tick uses the ranked locations. The tick's number determines the first one, so that every process finds the same order. While a
 * check is down and more locations fail than its rechecks outvote, the failing ones come first: otherwise the check would go up when others start, and down
 * again when these do.
 */
export function orderOfTick<Ranked extends Location>(
  ranking: readonly Ranked[],
  { check, state, failingLocations, tick }: DueTick,
): readonly Ranked[] {
  if (ranking.length < 2) return ranking;
  const turns = startsOfTicks(ranking, check.home).length;
  const turn = Math.floor(tick / (check.intervalMinutes * MINUTE_MS)) % turns;
  const order = turn === 0 ? ranking : [...ranking.slice(turn), ...ranking.slice(0, turn)];
  const rechecks = rechecksOf(check);
  if (state !== "failing" || failingLocations.length <= rechecks) return order;
  // Without rechecks the first run decides.
  const first = rechecks === 0 ? [] : order.slice(0, 1);
  const failing = new Set(failingLocations.map(({ location }) => location));
  const others = order.slice(first.length);
  return [
    ...first,
    ...others.filter(({ code }) => failing.has(code)),
    ...others.filter(({ code }) => !failing.has(code)),
  ];
}

interface LocatedRun {
  readonly status: Exclude<RunStatus, "undecided">;
  readonly location: string;
  readonly startedAt: number;
  readonly outcome: Pick<Outcome, "reason">;
}

/** Returns the failing locations of a check after further runs; the same list if nothing changed. A check with a single location has none. */
export function failingLocationsAfter(
  known: readonly FailingLocation[],
  runs: readonly LocatedRun[],
  locations: readonly Location[],
): readonly FailingLocation[] {
  if (known.length === 0 && (locations.length < 2 || runs.every(hasPassed))) return known;
  if (locations.length < 2) return noFailingLocations;
  const isServing = ({ location }: FailingLocation): boolean =>
    locations.some(({ code }) => code === location);
  const found = new Map(known.filter(isServing).map((each) => [each.location, each]));
  for (const run of runs) {
    const { location, startedAt, outcome } = run;
    if (hasPassed(run)) found.delete(location);
    else if (!found.has(location))
      found.set(location, { location, since: startedAt, reason: outcome.reason });
  }
  const after = [...found.values()];
  const isSame = after.length === known.length && after.every((each) => known.includes(each));
  return isSame ? known : after;
}

function hasPassed({ status }: Pick<LocatedRun, "status">): boolean {
  return status === "passed";
}
