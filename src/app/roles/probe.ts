import { createConnectivityProbe } from "../../probe/connectivity-probe.ts";
import { createEventLoopMonitor } from "../../probe/event-loop-monitor.ts";
import { startProbe } from "../../probe/probe.ts";
import { serveDiagnostics } from "../../probe/serve-diagnostics.ts";
import { untilAborted } from "./role.ts";
import type { Role, RoleDeps } from "./role.ts";

/** Runs the checks and the diagnostics of every location of this process. */
export function createProbeRole(deps: Omit<RoleDeps, "store" | "ids">): Role {
  const { config, egress, clock, stopping } = deps;
  const witnesses = createConnectivityProbe(config.WATCHPOST_CONNECTIVITY_PROBES, {
    egress,
    clock,
  });
  const lag = createEventLoopMonitor(clock);
  for (const location of config.locations) {
    startProbe({ ...deps, location, witnesses, lag });
    serveDiagnostics({ ...deps, location });
  }
  return {
    async run() {
      await untilAborted(stopping);
      lag.stop();
    },
  };
}
