import { createConnectivityProbe } from "../../probe/connectivity-probe.ts";
import { createDiagnosticsRunner } from "../../probe/diagnostics-runner.ts";
import { createJobRunner } from "../../probe/job-runner.ts";
import { untilAborted } from "./role.ts";
import type { Role, RoleDeps } from "./role.ts";

/** Runs the checks and the diagnostics of every location of this process. */
export function createProbeRole(deps: Omit<RoleDeps, "store" | "ids">): Role {
  const { config, bus, egress, clock, stopping } = deps;
  const connectivity = createConnectivityProbe(config.WATCHPOST_CONNECTIVITY_PROBES, {
    egress,
    clock,
  });
  for (const location of config.locations) {
    bus.serve(location, {
      runJob: createJobRunner({ ...deps, location, connectivity }),
      runDiagnostics: createDiagnosticsRunner({ egress, clock, stopping }),
    });
  }
  return {
    run: () => untilAborted(stopping),
  };
}
