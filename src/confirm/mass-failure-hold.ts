import type { TrackedCheck } from "../active-checks/tracked-check.ts";
import { networkReasons } from "../domain/run/outcome.ts";
import { targetWithoutCredentials } from "../domain/target.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { MassFailureGuard } from "./mass-failure-guard.ts";
import type { DecidedRun, Run } from "./run.ts";

interface Deps {
  readonly massFailureGuard: MassFailureGuard;
  readonly egress: Pick<Egress, "isPublic">;
}

/** Records for the guard a run that depends on the location's Internet access. */
export function recordForGuard(
  { check, state }: TrackedCheck,
  run: DecidedRun,
  { massFailureGuard, egress }: Deps,
): void {
  if (!dependsOnConnectivity(run, egress)) return;
  massFailureGuard.record({
    location: run.location,
    target: targetWithoutCredentials(check.parameters),
    startedFailing: networkReasons.has(run.outcome.reason) && state !== "failing",
  });
}

/** Whether every failure of the series could come from a location's own network, while many targets fail there. */
export function isMassFailure(runs: readonly Run[], { massFailureGuard, egress }: Deps): boolean {
  return runs.every(
    (run) =>
      run.status !== "failed" ||
      (networkReasons.has(run.outcome.reason) &&
        dependsOnConnectivity(run, egress) &&
        massFailureGuard.isTripped(run.location)),
  );
}

function dependsOnConnectivity(
  { outcome: { address, reason }, connectivityConfirmed }: DecidedRun,
  egress: Deps["egress"],
): boolean {
  if (connectivityConfirmed) return false;
  return address === undefined ? networkReasons.has(reason) : egress.isPublic(address);
}
