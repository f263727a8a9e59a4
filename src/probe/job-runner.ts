import type { Job, JobError, LocationHandlers, Report } from "../bus/bus.ts";
import type { PreparedCheck } from "../checks/check-type.ts";
import { checkTypeOf } from "../checks/registry.ts";
import type { Location } from "../domain/location.ts";
import { failed, networkReasons } from "../domain/run/outcome.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { ConnectivityProbe } from "./connectivity-probe.ts";
import type { EventLoopMonitor } from "../kit/event-loop-monitor.ts";
import { runWithDeadline } from "./run-with-deadline.ts";

interface Deps {
  readonly location: Location;
  readonly egress: Egress;
  readonly connectivity: ConnectivityProbe;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** A target that had less time than that share of the timeout taken from it may be up all the same. */
const MAX_STALLED_SHARE = 0.1;
const LOG_LAG_EVERY_MS = 60_000;

/** Runs the jobs of a location: prepares the check type, holds the deadline, and reports an outcome or why there is none. */
export function createJobRunner(deps: Deps): LocationHandlers["runJob"] {
  const { location, egress, connectivity, eventLoop, clock, log, meter } = deps;
  const prepare = createPreparing();
  const countLag = createLagCounter(deps);

  const error = (kind: JobError, message: string): Report => {
    meter.count("probe.job_error", { location: location.code, error: kind });
    return { error: kind, message };
  };

  /** Undefined where it makes no difference: a target inside the network does not depend on the location's Internet access. */
  const checkConnectivity = async (outcome: Outcome): Promise<boolean | undefined> => {
    if (!networkReasons.has(outcome.reason) || !connectivity.isConfigured) return undefined;
    if (outcome.address !== undefined && !egress.isPublic(outcome.address)) return undefined;
    return connectivity.isOnline();
  };

  const run = async (job: Job, prepared: PreparedCheck): Promise<Report> => {
    const startedAt = clock.monotonic();
    const outcome = await runWithDeadline(prepared, { clock, egress, timeoutMs: job.timeoutMs });
    const endOffsetMs = clock.monotonic() - startedAt;
    const stalledMs = eventLoop.stalledSince(startedAt);
    if (outcome.reason === "timeout" && stalledMs > job.timeoutMs * MAX_STALLED_SHARE)
      return error("busy", `${location.code} was too busy to keep time: ${outcome.message}`);
    if (outcome.reason === "blocked") return error("blocked", outcome.message);
    const isOnline = await checkConnectivity(outcome);
    if (isOnline === false)
      return error("offline", `location ${location.code} is offline: ${outcome.message}`);
    if (stalledMs === 0) meter.observe("probe.run", endOffsetMs, { type: job.type });
    else countLag(stalledMs);
    return {
      startOffsetMs: 0,
      endOffsetMs,
      outcome: stalledMs === 0 ? outcome : withoutTimings(outcome),
      connectivityConfirmed: isOnline === true,
    };
  };

  return async (job) => {
    try {
      const prepared = prepare(job);
      if (prepared !== undefined) return await run(job, prepared);
      const type = JSON.stringify(job.type);
      return error("internal_error", `no probe here for checks of type ${type}`);
    } catch (cause) {
      const message = messageOf(cause);
      if (codeOf(cause) === "invalid_input") return invalidConfiguration(message);
      log.error("probe.internal_error", {
        job: job.id,
        location: location.code,
        error: message,
        stack: cause instanceof Error ? cause.stack : undefined,
      });
      return error("internal_error", `the probe failed: ${message}`);
    }
  };
}

/** Undefined for a type that no probe runs. Parameters are parsed once for as long as the same object comes again. */
function createPreparing(): (job: Job) => PreparedCheck | undefined {
  const known = new WeakMap<Job["parameters"], PreparedCheck>();
  return ({ type, parameters }) => {
    const prepared = known.get(parameters);
    if (prepared !== undefined) return prepared;
    const checkType = checkTypeOf(type);
    if (checkType?.driver !== "probe") return undefined;
    const fresh = checkType.prepare(parameters);
    known.set(parameters, fresh);
    return fresh;
  };
}

/** Counts the runs that met a stall of the event loop, and logs the first of each minute. */
function createLagCounter({ location, clock, log, meter }: Deps): (stalledMs: number) => void {
  let loggedAt = -Infinity;
  return (stalledMs) => {
    meter.count("probe.untimed", { location: location.code });
    const now = clock.monotonic();
    if (now - loggedAt < LOG_LAG_EVERY_MS) return;
    loggedAt = now;
    log.warn("probe.event_loop_lag", {
      location: location.code,
      stalledMs: Math.round(stalledMs),
      meaning: "this machine is too busy: response times are not recorded",
    });
  };
}

/** The times of a stalled process say nothing of the target. */
function withoutTimings(outcome: Outcome): Outcome {
  const { timings: _timings, runtimeMs: _runtimeMs, ...rest } = outcome;
  return { ...rest, untimed: true };
}

function invalidConfiguration(message: string): Report {
  const outcome: Outcome = { ...failed("protocol", "error", message), final: true };
  return { startOffsetMs: 0, endOffsetMs: 0, outcome, connectivityConfirmed: false };
}
