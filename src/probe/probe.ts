import type { Bus, Job, Report, Trouble } from "../bus/bus.ts";
import { checkTypeOf } from "../checks/registry.ts";
import type { Prepared, RunContext } from "../checks/check-type.ts";
import type { Location } from "../domain/location.ts";
import { failed, networkReasons } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/egress.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Witnesses } from "./witness.ts";

interface Deps {
  readonly bus: Bus;
  readonly location: Location;
  readonly egress: Egress;
  readonly witnesses: Witnesses;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** How long a type whose time ran out has to say in which phase, and at which address; one that does not is not waited for. */
const LAST_WORD_MS = 250;

/** One object for all runs: an error with its stack for each would be a twentieth of a whole probe. */
const DEADLINE = new Error("the time of the run is over");

/** Serves the jobs of a location: prepares the check type, holds the deadline, and answers every job with a report. */
export function startProbe(deps: Deps): void {
  const { bus, location, egress, witnesses, clock, log, meter } = deps;
  const prepared = new WeakMap<Job["parameters"], Prepared>();

  const prepare = (job: Job): Prepared | undefined => {
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
      meter.count("probe.trouble", { location: location.code, trouble: kind });
      return { jobId: job.id, location: location.code, trouble: kind, message };
    };
    try {
      const ready = prepare(job);
      if (ready === undefined)
        return trouble("broken", `no probe here for checks of type ${JSON.stringify(job.type)}`);
      const outcome = await underDeadline(ready, job);
      const endedAt = clock.monotonic();
      if (outcome.reason === "blocked") return trouble("blocked", outcome.message);
      const vouched = await isVouched(outcome);
      if (vouched === false)
        return trouble("blind", `no witness answers at ${location.code}: ${outcome.message}`);
      meter.observe("probe.run", endedAt - startedAt, { type: job.type });
      return report(outcome, { endedAt, vouched: vouched === true });
    } catch (error) {
      if (codeOf(error) === "invalid_input")
        return report(invalid(messageOf(error)), { endedAt: clock.monotonic(), vouched: false });
      log.error("probe.broken", {
        job: job.id,
        location: location.code,
        error: messageOf(error),
        stack: stackOf(error),
      });
      return trouble("broken", `the probe failed: ${messageOf(error)}`);
    }
  };

  const underDeadline = (ready: Prepared, job: Job): Promise<Outcome> => {
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
      void Promise.try(ready.run, context)
        .then(resolve, reject)
        .finally(() => deadline.cancel());
    });
  };

  /** Undefined where nobody needed to be asked. Private targets do not depend on our way out. */
  const isVouched = async (outcome: Outcome): Promise<boolean | undefined> => {
    if (!networkReasons.has(outcome.reason) || !witnesses.exist) return undefined;
    if (outcome.address !== undefined && !egress.isPublic(outcome.address)) return undefined;
    return witnesses.anyAnswers();
  };

  bus.jobs.serve(location, carryOut);
}

function invalid(message: string): Outcome {
  return { ...failed("protocol", "error", message), final: true };
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
