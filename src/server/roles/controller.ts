import {
  createLocationVisibility,
  type LocationVisibility,
} from "../../controller/confirm/location-visibility.ts";
import { createMassFailureGuard } from "../../controller/confirm/mass-failure-guard.ts";
import { createRunTick } from "../../controller/confirm/run-tick.ts";
import { createDiagnostics } from "../../controller/diagnostics.ts";
import { createIncidentRunner } from "../../controller/incidents.ts";
import { createMaintenanceRunner } from "../../controller/maintenance.ts";
import { createStalenessWatcher } from "../../controller/staleness.ts";
import { createScheduler } from "../../controller/scheduler/scheduler.ts";
import { controlledPart } from "../../store/shards.ts";
import type { Store } from "../../store/store.ts";
import type { Role, RoleDeps } from "./role.ts";
import { hostLimitsIn } from "./host-limits.ts";

export interface ControllerRole extends Role {
  /** The number of checks that are scheduled. */
  readonly checkCount: () => number;
  /** Whether the locations reach any target. */
  readonly sight: Pick<LocationVisibility, "isOnline">;
}

/** Without what only listening and sending take. */
type Deps = Omit<RoleDeps, "alertEgress" | "listener" | "delivery" | "health" | "sealer">;

/** Schedules the checks, confirms their verdicts, detects missing heartbeats, orders diagnostics, starts and ends maintenances, and posts incidents of outages. */
export function createControllerRole(deps: Deps): ControllerRole {
  const { config, clock, controllerStore, shards, stopping } = deps;
  const massFailureGuard = createMassFailureGuard(clock, () => controlledPart(shards));
  const store: Store = {
    ...controllerStore,
    append: (result, also) => controllerStore.append(result, { ...also, mayWait: true }),
  };
  const sight = createLocationVisibility(deps);
  deps.bus.changes.subscribe(sight.forget);
  const runTick = createRunTick({ ...deps, store, massFailureGuard, sight });
  const scheduler = createScheduler({
    ...deps,
    store: controllerStore,
    runTick,
    hostLimits: hostLimitsIn(config),
  });
  const staleness = createStalenessWatcher(deps);
  const diagnostics = createDiagnostics({
    ...deps,
    alertMailLimit: deps.config.WATCHPOST_MAILBOX_ALERT_LIMIT,
  });
  const maintenance = createMaintenanceRunner(deps);
  const incidents = createIncidentRunner(deps);
  return {
    checkCount: scheduler.checkCount,
    sight,
    trouble: () => deps.leaseTrouble() ?? locationTrouble(deps.bus),
    async run() {
      await Promise.all([
        scheduler.run(stopping),
        staleness.run(stopping),
        diagnostics.run(stopping),
        maintenance.run(stopping),
        incidents.run(stopping),
      ]);
    },
  };
}

/** Returns the reason why no check can be run; undefined if some can. */
function locationTrouble({ isConnected, presence }: RoleDeps["bus"]): string | undefined {
  if (presence.live().some(({ isAway }) => isAway !== true)) return undefined;
  return isConnected?.() === false
    ? "there is no connection to the NATS server, so no check can be run"
    : "no location is live, so no check can be run";
}
