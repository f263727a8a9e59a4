import type { Bus, Job, Report, Trouble } from "../bus/bus.ts";
import { checkTypeOf } from "../checks/registry.ts";
import type { PreparedCheck, RunContext } from "../checks/check-type.ts";
import type { Location } from "../domain/location.ts";
import { failed, networkReasons } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { EventLoopMonitor } from "./event-loop-monitor.ts";
import type { ConnectivityProbe } from "./connectivity-probe.ts";

interface Deps {
  readonly bus: Bus;
  readonly location: Location;
  readonly egress: Egress;
  readonly witnesses: ConnectivityProbe;
  readonly lag: Pick<EventLoopMonitor, "stalledSince">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** How long a type whose time ran out has to say in which phase, and at which address; one that does not is not waited for. */
const LAST_WORD_MS = 250;

/** A target that had that much less time than it was to have may be well. */
const MOST_OF_TIMEOUT_STALLED = 0.1;
const TELL_OF_LAG_EVERY_MS = 60_000;

/** One object for all runs: an error with its stack for each would be a twentieth of a whole probe. */
const DEADLINE = new Error("the time of the run is over");

/** Serves the jobs of a location: prepares the check type, holds the deadline, and answers every job with a report. */
export function startProbe(deps: Deps): void {
  const { bus, location, egress, witnesses, lag, clock, log, meter } = deps;
  const prepared = new WeakMap<Job["parameters"], PreparedCheck>();

  const prepare = (job: Job): PreparedCheck | undefined => {
    const known = prepared.get(job.parameters);
    if (known !== undefined) return known;
    const type = checkTypeOf(job.type);
    if (type?.driver !== "probe") return undefined;
    const fresh = type.prepare(job.parameters);
    prepared.set(job.parameters, fresh);
    return fresh;
  };

  const carryOut = async (job: Job): Promise<Report> => {
    const startedAt = clock.monotonic();
    const report = (outcome: Outcome, rest: { endedAt: number; vouched: boolean }): Report => ({
      jobId: job.id,
      location: location.code,
      startOffsetMs: 0,
      endOffsetMs: rest.endedAt - startedAt,
      outcome,
      vouched: rest.vouched,
    });
    const trouble = (kind: Trouble, message: string): Report => {
      meter.count("probe.job_error", { location: location.code, trouble: kind });
      return { jobId: job.id, location: location.code, trouble: kind, message };
    };
    try {
      const ready = prepare(job);
      if (ready === undefined)
        return trouble("broken", `no probe here for checks of type ${JSON.stringify(job.type)}`);
      const outcome = await underDeadline(ready, job);
      const endedAt = clock.monotonic();
      const stalledMs = lag.stalledSince(startedAt);
      if (outcome.reason === "timeout" && stalledMs > job.timeoutMs * MOST_OF_TIMEOUT_STALLED)
        return trouble("busy", `${location.code} was too busy to keep time: ${outcome.message}`);
      if (outcome.reason === "blocked") return trouble("blocked", outcome.message);
      const vouched = await isVouched(outcome);
      if (vouched === false)
        return trouble("offline", `no witness answers at ${location.code}: ${outcome.message}`);
      if (stalledMs === 0) meter.observe("probe.run", endedAt - startedAt, { type: job.type });
      else tellOfLag(stalledMs);
      const told = stalledMs === 0 ? outcome : withoutTimes(outcome);
      return report(told, { endedAt, vouched: vouched === true });
    } catch (error) {
      if (codeOf(error) === "invalid_input")
        return report(invalid(messageOf(error)), { endedAt: clock.monotonic(), vouched: false });
      log.error("probe.internal_error", {
        job: job.id,
        location: location.code,
        error: messageOf(error),
        stack: stackOf(error),
      });
      return trouble("broken", `the probe failed: ${messageOf(error)}`);
    }
  };

  let toldOfLag = -Infinity;
  const tellOfLag = (stalledMs: number): void => {
    meter.count("probe.untimed", { location: location.code });
    const now = clock.monotonic();
    if (now - toldOfLag < TELL_OF_LAG_EVERY_MS) return;
    toldOfLag = now;
    log.warn("probe.event_loop_lag", {
      location: location.code,
      stalledMs: Math.round(stalledMs),
      meaning: "this machine is too busy: response times are not recorded",
    });
  };

  const underDeadline = (ready: PreparedCheck, job: Job): Promise<Outcome> => {
    const controller = new AbortController();
    const context: RunContext = {
      ...clock,
      signal: controller.signal,
      egress,
      timeoutMs: job.timeoutMs,
    };
    return new Promise((resolve, reject) => {
      const abandon = (): void =>
        resolve(failed("timeout", "Timeout", `Timeout after ${job.timeoutMs / 1000} s`));
      let deadline = clock.setTimer(() => {
        controller.abort(DEADLINE);
        deadline = clock.setTimer(abandon, LAST_WORD_MS);
      }, job.timeoutMs);
      void Promise.try(ready.run, context).then(
        (outcome) => {
          deadline.cancel();
          resolve(outcome);
        },
        (error: unknown) => {
          deadline.cancel();
          reject(error);
        },
      );
    });
  };

  /** Undefined where nobody needed to be asked. Private targets do not depend on our way out. */
  const isVouched = async (outcome: Outcome): Promise<boolean | undefined> => {
    if (!networkReasons.has(outcome.reason) || !witnesses.isConfigured) return undefined;
    if (outcome.address !== undefined && !egress.isPublic(outcome.address)) return undefined;
    return witnesses.isOnline();
  };

  bus.jobs.serve(location, carryOut);
}

/** Ours would be told for those of the target. */
function withoutTimes(outcome: Outcome): Outcome {
  const { timings: _timings, runtimeMs: _runtimeMs, ...rest } = outcome;
  return { ...rest, untimed: true };
}

function invalid(message: string): Outcome {
  return { ...failed("protocol", "error", message), final: true };
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
