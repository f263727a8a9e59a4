import { createMassFailureGuard } from "../../confirm/mass-failure-guard.ts";
import { createResolveTick } from "../../confirm/resolve-tick.ts";
import { shareCommits } from "../../confirm/shared-commits.ts";
import { createDiagnostics } from "../../diagnostics/diagnostics.ts";
import { createMaintenanceRunner } from "../../maintenance/maintenance.ts";
import { createScheduler } from "../../scheduler/scheduler.ts";
import type { Role, RoleDeps } from "./role.ts";
import { hostLimitsIn } from "./host-limits.ts";

interface Deps extends RoleDeps {
  /** Called when alerts may be due. */
  readonly flipped: () => void;
}

export interface ControllerRole extends Role {
  /** The number of checks that are scheduled. */
  readonly checkCount: () => number;
}

/** As often as the scheduler begins runs: at 500 results a second 25 share a commit. */
export const RESULTS_WAIT_MS = 50;

/** Schedules the checks, confirms their verdicts, orders diagnostics, and starts and ends maintenances. */
export function createControllerRole(deps: Deps): ControllerRole {
  const { config, clock, controllerStore, stopping } = deps;
  const massFailureGuard = createMassFailureGuard(clock);
  const append = shareCommits(controllerStore.append, clock, RESULTS_WAIT_MS);
  const store = { ...controllerStore, append };
  const resolveTick = createResolveTick({ ...deps, store, massFailureGuard });
  const scheduler = createScheduler({
    ...deps,
    store: controllerStore,
    resolveTick,
    hostLimits: hostLimitsIn(config),
  });
  const diagnostics = createDiagnostics({
    ...deps,
    alertMailLimit: deps.config.WATCHPOST_MAILBOX_ALERT_LIMIT,
  });
  const maintenance = createMaintenanceRunner(deps);
  return {
    checkCount: scheduler.checkCount,
    async run() {
      await Promise.all([
        scheduler.run(stopping),
        diagnostics.run(stopping),
        maintenance.run(stopping),
      ]);
    },
  };
}
