import type { Job, JobError, LocationHandlers, Report } from "../bus/bus.ts";
import type { PreparedCheck, RunContext } from "../checks/check-type.ts";
import { checkTypeOf } from "../checks/registry.ts";
import type { Location } from "../domain/location.ts";
import { failed, type Outcome, storableOutcome } from "../domain/run/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { MemoryBudget } from "../kit/concurrency/memory-budget.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Reserve } from "../kit/net/byte-queue.ts";
import type { Egress } from "../kit/net/egress.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { AddressSlots, RunAddresses } from "./address-slots.ts";
import type { SelfCheck, OwnTrouble } from "./own-trouble.ts";

interface Deps {
  readonly location: Location;
  readonly egress: Egress;
  readonly ownTrouble: OwnTrouble;
  readonly addressSlots: AddressSlots;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  /** Memory for target data. */
  readonly memory: MemoryBudget;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** A target that had more than that share of the timeout taken from it may be up all the same. */
const MAX_STALLED_SHARE = 0.1;

/** Runs the jobs of a location: prepares the check type, enforces the deadline, and reports an outcome or the reason why there is none. */
export function createJobRunner(deps: Deps): LocationHandlers["runJob"] {
  const { egress, ownTrouble, addressSlots, eventLoop, memory } = deps;
  const { clock, meter } = deps;
  const reportLag = createLagReporter(deps);

  const { error, refusalOf, troubled, failure } = createErrorReports(deps);

  // One function that waits: each costs a hundredth of a run, and lives as long as the run does.
  return async (job) => {
    const { type, timeoutMs, accountId, wantsTitle = false } = job;
    const addresses = addressSlots.forRun(accountId);
    const reservation = memory.open(accountId);
    try {
      const prepared = prepare(job);
      if (prepared === undefined)
        return error("internal_error", `no probe here for checks of type ${JSON.stringify(type)}`);
      const noted = ownTrouble.noteCarriers();
      const startedAt = clock.monotonic();
      // A wait for memory counts like time in which this process was suspended.
      const stalledSince = (at: number): number =>
        // guard: waits for memory = left
        eventLoop.stalledSince(at) + reservation.waitedMs();
      const outcome = await runWithDeadline(prepared, {
        clock,
        egress,
        eventLoop: { stalledSince },
        timeoutMs,
        accountId,
        wantsTitle,
        addresses,
        reserve: reservation.grow,
      });
      const endOffsetMs = clock.monotonic() - startedAt;
      reservation.release();
      const waitedMs = addresses.waitedMs();
      const elapsedMs = endOffsetMs - waitedMs;
      const stalledMs = stalledSince(startedAt);
      const refusal = addresses.refusal();
      const refused = refusalOf(outcome, { timeoutMs, stalledMs, elapsedMs, waitedMs, refusal });
      if (refused !== undefined) return refused;
      const own = ownTrouble.find(outcome, noted);
      const { trouble, connectivityConfirmed, resolverSilent } =
        own instanceof Promise ? await own : own;
      if (trouble !== undefined) return troubled(trouble, outcome);
      if (stalledMs === 0) meter.observe("probe.run", elapsedMs, { type });
      else reportLag(stalledMs);
      return {
        startOffsetMs: waitedMs,
        endOffsetMs,
        outcome: reported(outcome, stalledMs === 0),
        connectivityConfirmed,
        ...(resolverSilent && { resolverSilent }),
      };
    } catch (cause) {
      const refusal = addresses.refusal();
      return refusal === undefined ? failure(job, cause) : error("busy", refusal);
    } finally {
      reservation.release();
      addresses.free();
    }
  };
}

/** The reports of jobs without an outcome. */
function createErrorReports({ location, log, meter }: Pick<Deps, "location" | "log" | "meter">): {
  readonly error: (kind: JobError, message: string) => Report;
  /** Returns the reason why an ended run has no outcome; undefined if it has one. */
  readonly refusalOf: (outcome: Outcome, run: EndedRun) => Report | undefined;
  /** The location is not able to tell whether the target failed. */
  readonly troubled: (trouble: NonNullable<SelfCheck["trouble"]>, outcome: Outcome) => Report;
  /** Returns the report of a job whose run threw. */
  readonly failure: (job: Job, cause: unknown) => Report;
} {
  const error = (kind: JobError, message: string): Report => {
    meter.count("probe.job_error", { location: location.code, error: kind });
    return { error: kind, message };
  };
  return {
    error,
    refusalOf(outcome, run) {
      if (run.waitedMs > 0) meter.count("scheduler.run_delayed", { reason: "address" });
      if (run.refusal !== undefined) return error("busy", run.refusal);
      if (isOurs(outcome, run))
        return error("busy", `${location.code} was too busy to keep time: ${outcome.message}`);
      return outcome.reason === "blocked" ? error("blocked", outcome.message) : undefined;
    },
    troubled({ error: kind, message }, outcome) {
      const { code } = location;
      const fields = { location: code, because: message, run: outcome.message };
      if (kind === "offline") {
        log.warn("probe.offline", fields, code);
        return error(kind, `location ${code} is offline (${message}): ${outcome.message}`);
      }
      log.warn("probe.resolver_silent", fields, code);
      const what = `the resolver of location ${code} does not answer`;
      return error(kind, `${what} (${message}): ${outcome.message}`);
    },
    failure(job, cause) {
      const message = messageOf(cause);
      if (codeOf(cause) === "invalid_input") return invalidConfiguration(message);
      if (codeOf(cause) === "unavailable") {
        log.warn("probe.unavailable", { job: job.id, location: location.code, message }, message);
        return error("internal_error", `the probe failed: ${message}`);
      }
      const stack = cause instanceof Error ? cause.stack : undefined;
      const fields = { job: job.id, location: location.code, error: message, stack };
      log.error("probe.internal_error", fields, message);
      return error("internal_error", `the probe failed: ${message}`);
    },
  };
}

/** A run that is over, and what of its time was not the target's. */
interface EndedRun {
  readonly timeoutMs: number;
  readonly stalledMs: number;
  readonly elapsedMs: number;
  readonly waitedMs: number;
  /** Reason why it stopped waiting for a slot at an address; undefined unless it had to give up. */
  readonly refusal: string | undefined;
}

/** Returns whether a failure may come from a suspension of this process instead of the target. */
function isOurs(
  { passed, reason }: Outcome,
  run: Pick<EndedRun, "timeoutMs" | "stalledMs" | "elapsedMs">,
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

/** The outcome as it is reported. The times of a stalled process say nothing of the target. */
function reported(outcome: Outcome, isTimed: boolean): Outcome {
  if (isTimed && outcome.unanswered === undefined) return outcome;
  const { unanswered: _unanswered, lookup: _lookup, ...timed } = outcome;
  if (isTimed) return timed;
  const { timings: _timings, runtimeMs: _runtimeMs, ...rest } = timed;
  return { ...rest, untimed: true };
}

function invalidConfiguration(message: string): Report {
  const outcome: Outcome = { ...failed("protocol", "error", message), final: true };
  return { startOffsetMs: 0, endOffsetMs: 0, outcome, connectivityConfirmed: false };
}

/** How long after its timeout a check type may take to say in which phase the time ran out, and at which address. */
const GRACE_MS = 250;

/** One object for all runs: an error with its stack for each would cost a twentieth of a whole run. */
const DEADLINE = new Error("the time of the run is over");

/** Less lost time than that is not given back. */
const MIN_EXTENSION_MS = 10;

interface Options {
  readonly clock: Clock;
  readonly egress: Egress;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly timeoutMs: number;
  readonly accountId: string;
  readonly wantsTitle: boolean;
  /** Waits for slots at the dialled addresses. */
  readonly addresses: RunAddresses;
  /** Called before more data from the target is read. */
  readonly reserve: Reserve;
}

/**
 * Runs a prepared check until its timeout; a run that ignores its signal is not awaited. Time in which this process was suspended is added, up to the timeout
 * once more. The timeout does not elapse while the run waits for a slot.
 */
function runWithDeadline(
  prepared: PreparedCheck,
  { clock, egress, eventLoop, addresses, timeoutMs, accountId, wantsTitle, reserve }: Options,
): Promise<Outcome> {
  const startedAt = clock.monotonic();
  const controller = new AbortController();
  const context: RunContext = {
    now: clock.now,
    monotonic: () => clock.monotonic() - addresses.waitedMs(),
    setTimer: clock.setTimer,
    signal: controller.signal,
    egress: { resolve: egress.resolve, isPublic: egress.isPublic, admit: addresses.admit },
    timeoutMs,
    accountId,
    wantsTitle,
    reserve,
  };
  return new Promise((resolve, reject) => {
    const abandon = (): void =>
      resolve(failed("timeout", "Timeout", `Timeout after ${timeoutMs / 1000} s`));
    let extendedMs = 0;
    const expire = (): void => {
      const lostMs = eventLoop.stalledSince(startedAt);
      const extensionMs = Math.min(lostMs, timeoutMs) + addresses.waitedMs() - extendedMs;
      if (extensionMs >= MIN_EXTENSION_MS) {
        extendedMs += extensionMs;
        deadline = clock.setTimer(expire, extensionMs);
      } else {
        // guard: the signal of a run
        controller.abort(DEADLINE);
        // guard: the deadline of a run
        deadline = clock.setTimer(abandon, GRACE_MS);
      }
    };
    let deadline = clock.setTimer(expire, timeoutMs);
    void Promise.try(prepared.run, context).then(
      (outcome) => {
        deadline.cancel();
        resolve(storableOutcome(outcome));
      },
      (error: unknown) => {
        deadline.cancel();
        reject(error);
      },
    );
  });
}
