import type { Job, JobError, LocationHandlers, Report } from "../bus/bus.ts";
import type { PreparedCheck } from "../checks/check-type.ts";
import { checkTypeOf } from "../checks/registry.ts";
import type { Location } from "../domain/location.ts";
import { failed, networkReasons } from "../domain/run/outcome.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { MemoryBudget } from "../kit/fair/memory-budget.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { ConnectivityProbe } from "./connectivity-probe.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { AddressPlaces, RunAddresses } from "./address-places.ts";
import { runWithDeadline } from "./run-with-deadline.ts";

interface Deps {
  readonly location: Location;
  readonly egress: Egress;
  readonly connectivity: ConnectivityProbe;
  readonly addressPlaces: AddressPlaces;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  /** For what targets send. */
  readonly memory: MemoryBudget;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** A target that had more than that share of the timeout taken from it may be up all the same. */
const MAX_STALLED_SHARE = 0.1;

/** Runs the jobs of a location: prepares the check type, holds the deadline, and reports an outcome or why there is none. */
export function createJobRunner(deps: Deps): LocationHandlers["runJob"] {
  const { location, egress, connectivity, addressPlaces, eventLoop, memory } = deps;
  const { clock, log, meter } = deps;
  const reportLag = createLagReporter(deps);

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

  const run = async (
    { type, timeoutMs, accountId }: Job,
    prepared: PreparedCheck,
    addresses: RunAddresses,
  ): Promise<Report> => {
    const startedAt = clock.monotonic();
    const reservation = memory.open(accountId);
    // A wait for memory is as much our own as time in which this process stood still.
    const stalledSince = (at: number): number =>
      eventLoop.stalledSince(at) + reservation.waitedMs();
    const outcome = await runWithDeadline(prepared, {
      clock,
      egress,
      eventLoop: { stalledSince },
      timeoutMs,
      accountId,
      addresses,
      reserve: reservation.grow,
    }).finally(reservation.release);
    const endOffsetMs = clock.monotonic() - startedAt;
    const waitedMs = addresses.waitedMs();
    if (waitedMs > 0) meter.count("scheduler.run_delayed", { reason: "address" });
    const refusal = addresses.refusal();
    if (refusal !== undefined) return error("busy", refusal);
    const stalledMs = stalledSince(startedAt);
    const elapsedMs = endOffsetMs - waitedMs;
    if (isOurs(outcome, { timeoutMs, stalledMs, elapsedMs }))
      return error("busy", `${location.code} was too busy to keep time: ${outcome.message}`);
    if (outcome.reason === "blocked") return error("blocked", outcome.message);
    const isOnline = await checkConnectivity(outcome);
    if (isOnline === false)
      return error("offline", `location ${location.code} is offline: ${outcome.message}`);
    if (stalledMs === 0) meter.observe("probe.run", elapsedMs, { type });
    else reportLag(stalledMs);
    return {
      startOffsetMs: waitedMs,
      endOffsetMs,
      outcome: stalledMs === 0 ? outcome : withoutTimings(outcome),
      connectivityConfirmed: isOnline === true,
    };
  };

  return async (job) => {
    const addresses = addressPlaces.forRun(job.accountId);
    try {
      const prepared = prepare(job);
      if (prepared !== undefined) return await run(job, prepared, addresses);
      const type = JSON.stringify(job.type);
      return error("internal_error", `no probe here for checks of type ${type}`);
    } catch (cause) {
      const refusal = addresses.refusal();
      if (refusal !== undefined) return error("busy", refusal);
      const message = messageOf(cause);
      if (codeOf(cause) === "invalid_input") return invalidConfiguration(message);
      const stack = cause instanceof Error ? cause.stack : undefined;
      const fields = { job: job.id, location: location.code, error: message, stack };
      log.error("probe.internal_error", fields, message);
      return error("internal_error", `the probe failed: ${message}`);
    } finally {
      addresses.free();
    }
  };
}

/** Whether a failure may come from the time in which this process stood still, and not from the target. */
function isOurs(
  { passed, reason }: Outcome,
  run: { readonly timeoutMs: number; readonly stalledMs: number; readonly elapsedMs: number },
): boolean {
  const { timeoutMs, stalledMs, elapsedMs } = run;
  // No target keeps a connection open for longer than a run may take.
  if (stalledMs > timeoutMs) return !passed;
  const toleratedMs = timeoutMs * MAX_STALLED_SHARE;
  const hadItsTime = elapsedMs - stalledMs >= timeoutMs - toleratedMs;
  return reason === "timeout" && stalledMs > toleratedMs && !hadItsTime;
}

/** Undefined for a type that no probe runs. Parsed for each run: 5 µs of 250, where what is kept for 20,000 checks takes memory. */
function prepare({ type, parameters }: Job): PreparedCheck | undefined {
  const checkType = checkTypeOf(type);
  return checkType?.driver === "probe" ? checkType.prepare(parameters) : undefined;
}

function createLagReporter({ location: { code }, log, meter }: Deps): (stalledMs: number) => void {
  return (stalledMs) => {
    meter.count("probe.untimed", { location: code });
    const fields = {
      location: code,
      stalledMs: Math.round(stalledMs),
      meaning: "this machine is too busy: response times are not recorded",
    };
    log.warn("probe.event_loop_lag", fields, code);
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
