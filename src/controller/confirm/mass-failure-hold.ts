import type { TrackedCheck } from "../../tracking/tracked-check.ts";
import { networkReasons } from "../../domain/run/outcome.ts";
import { targetWithoutCredentials } from "../../domain/target.ts";
import { isLoopbackAddress, type Egress } from "../../kit/net/egress.ts";
import type { Side } from "./location-visibility.ts";
import type { MassFailureGuard } from "./mass-failure-guard.ts";
import type { DecidedRun, Run } from "./run.ts";

interface Deps {
  readonly massFailureGuard: MassFailureGuard;
  readonly egress: Pick<Egress, "isPublic">;
}

/** Records for the guard a run that depends on a network of the location. */
export function recordForGuard(
  { check, state }: TrackedCheck,
  run: DecidedRun,
  { massFailureGuard, egress }: Deps,
): void {
  const side = sideOf(run, egress);
  if (side === undefined) return;
  massFailureGuard.record({
    location: run.location,
    side,
    target: targetWithoutCredentials(check.parameters),
    startedFailing: networkReasons.has(run.outcome.reason) && state !== "failing",
  });
}

/** Returns whether every failure of the series could come from a location's own network, while many targets on that side fail there. */
export function isMassFailure(runs: readonly Run[], { massFailureGuard, egress }: Deps): boolean {
  return runs.every((run) => {
    if (run.status !== "failed") return true;
    const side = networkReasons.has(run.outcome.reason) ? sideOf(run, egress) : undefined;
    return side !== undefined && massFailureGuard.isTripped(run.location, side);
  });
}

/** Undefined if no network is involved or the location was online. */
function sideOf(
  { outcome: { address, reason }, connectivityConfirmed }: DecidedRun,
  egress: Deps["egress"],
): Side | undefined {
  if (connectivityConfirmed) return undefined;
  if (address === undefined) return networkReasons.has(reason) ? "public" : undefined;
  if (egress.isPublic(address)) return "public";
  return isLoopbackAddress(address) ? undefined : "private";
}
