import type { LocationHandlers } from "../bus/bus.ts";
import type { Location } from "../domain/location.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import { createAddressSlots } from "./address-slots.ts";
import { createConnectivityProbe, type ConnectivityAddress } from "./connectivity-probe.ts";
import { createDiagnosticsRunner } from "./diagnostics-runner.ts";
import { createJobRunner } from "./job-runner.ts";
import { createOwnTrouble } from "./own-trouble.ts";
import { createStartLimiter, limitStarts } from "./start-limiter.ts";
import type { HostLimits } from "../kit/concurrency/host-limiter.ts";
import type { MemoryBudget } from "../kit/concurrency/memory-budget.ts";

interface Deps {
  readonly locations: readonly Location[];
  readonly connectivityAddresses: readonly ConnectivityAddress[];
  readonly addressLimits: HostLimits;
  readonly egress: Egress;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  /** Memory for target data. */
  readonly memory: MemoryBudget;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Ends diagnostics in progress. */
  readonly stopping: AbortSignal;
}

/** Returns the handlers of each location in this thread, by code. */
export function createLocationHandlers(deps: Deps): ReadonlyMap<string, LocationHandlers> {
  const ownTrouble = createOwnTrouble({
    egress: deps.egress,
    connectivity: createConnectivityProbe(deps.connectivityAddresses, deps),
    clock: deps.clock,
  });
  const addressSlots = createAddressSlots(deps.addressLimits, deps.clock);
  const { clock, memory } = deps;
  const starts = createStartLimiter(clock, (accountId) => !memory.isCrowded(accountId));
  return new Map(
    deps.locations.map((location) => {
      const handlers = {
        runJob: createJobRunner({ ...deps, location, ownTrouble, addressSlots }),
        runDiagnostics: createDiagnosticsRunner(deps),
      };
      return [location.code, limitStarts(handlers, starts, clock)];
    }),
  );
}
