import { createMassFailureGuard } from "../../confirm/mass-failure-guard.ts";
import { createResolveTick } from "../../confirm/resolve-tick.ts";
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

/** Schedules the checks, confirms their verdicts, orders diagnostics, and starts and ends maintenances. */
export function createControllerRole(deps: Deps): ControllerRole {
  const { config, clock, stopping } = deps;
  const massFailureGuard = createMassFailureGuard(clock);
  const resolveTick = createResolveTick({ ...deps, massFailureGuard });
  const scheduler = createScheduler({
    ...deps,
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
