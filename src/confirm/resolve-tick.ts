import { jobOf } from "../bus/job.ts";
import type { Answer, Dispatch } from "../bus/dispatch.ts";
import { rechecksOf } from "../domain/check.ts";
import type { Location } from "../domain/location.ts";
import { networkReasons } from "../domain/outcome.ts";
import { maxRecipients } from "../domain/recipients.ts";
import { targetWithoutCredentials } from "../domain/target.ts";
import type { Result } from "../domain/result.ts";
import { evaluateSeries, stateOf } from "../domain/verdict.ts";
import type { State, Verdict } from "../domain/verdict.ts";
import { unlessAborted } from "../kit/abort.ts";
import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { ActiveCheck } from "../store/checks.ts";
import { recordResult } from "../store/units/record-result.ts";
import { recordFlip } from "../store/units/record-flip.ts";
import type { Store } from "../store/store.ts";
import type { MassFailureGuard } from "./mass-failure-guard.ts";
import { createRecall, rememberShown, shownIn } from "./memory.ts";
import type { Memory } from "./memory.ts";
import { confirmationOf, noLocationRun, resultOf, runOf } from "./run.ts";
import type { DecidedRun, Run, UndecidedRun } from "./run.ts";

interface Deps {
  readonly store: Pick<Store, "write" | "append" | "results" | "states" | "evidence">;
  readonly dispatch: Dispatch;
  readonly breaker: MassFailureGuard;
  readonly egress: Pick<Egress, "isPublic">;
  /** Called after each flip, for alerts may be due. */
  readonly flipped: () => void;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** A tick whose first run is over. */
export interface Tick {
  readonly active: ActiveCheck;
  readonly tick: number;
  readonly ranking: readonly Location[];
  readonly answer: Answer | undefined;
  /** Ticks before it were missed, and the check may say so. */
  readonly missed: boolean;
  readonly signal: AbortSignal;
}

/** Between two attempts at the same location, so that a blip is over before it is confirmed. */
const SAME_LOCATION_SPACING_MS = 1000;
const SECOND_LOOK_AFTER_MS = 30_000;
const COMMIT_AGAIN_AFTER_MS = 1000;

/** Takes the first run of a tick to its verdict: rechecks at once from other locations, then one transaction for what they decide. */
export function createResolveTick(deps: Deps): (tick: Tick) => Promise<void> {
  const { store, dispatch, breaker, egress, flipped, ids, clock, log, meter } = deps;
  const recall = createRecall({ store, clock });

  return async ({ active, tick, ranking, answer, missed, signal }) => {
    const memory = await recall(active);
    memory.inTrouble ||= missed;
    const { check } = active;
    const runs: Run[] = [];
    if (answer === undefined) runs.push(noLocationRun(active));
    else runs.push(take(memory, answer));
    let lookedTwice = false;
    for (;;) {
      const verdict =
        ranking.length === 0 ? ({ kind: "undecided" } as const) : verdictOf(memory, runs);
      if (
        verdict.kind === "flip" &&
        verdict.to === "failing" &&
        !lookedTwice &&
        isSuspicious(runs)
      ) {
        lookedTwice = true;
        meter.count("confirm.mass_failure_hold");
        log.warn("confirm.mass_failure_hold", {
          check: check.id,
          locations: [...new Set(runs.map(({ location }) => location))],
        });
        await sleep(clock, SECOND_LOOK_AFTER_MS, signal);
      } else if (verdict.kind !== "again") {
        await conclude({ memory, tick, runs, signal }, verdict);
        return;
      }
      const next = await attempt({ active, tick, ranking, signal }, runs.length + 1);
      if (next === undefined) return;
      runs.push(take(memory, next));
    }
  };

  function take(memory: Memory, answer: Answer): Run {
    const run = runOf(answer, memory.lastStart);
    if (run.finding === "undecided") return run;
    memory.lastStart = run.startedAt;
    if (dependsOnOurWayOut(run)) {
      const turned = networkReasons.has(run.outcome.reason) && memory.state.state !== "failing";
      breaker.record({
        location: run.location,
        target: targetWithoutCredentials(memory.active.check.parameters),
        turned,
      });
    }
    return run;
  }

  function dependsOnOurWayOut({
    outcome: { address, reason },
    connectivityConfirmed,
  }: DecidedRun): boolean {
    if (address === undefined) return !connectivityConfirmed && networkReasons.has(reason);
    return !connectivityConfirmed && egress.isPublic(address);
  }

  function isSuspicious(runs: readonly Run[]): boolean {
    return runs.every(
      (run) =>
        run.finding !== "failed" ||
        (networkReasons.has(run.outcome.reason) &&
          dependsOnOurWayOut(run) &&
          breaker.isTripped(run.location)),
    );
  }

  async function attempt(
    { active, tick, ranking, signal }: Omit<Tick, "answer" | "missed">,
    number: number,
  ): Promise<Answer | undefined> {
    const location = ranking[(number - 1) % ranking.length];
    if (location === undefined) return undefined;
    if (number > ranking.length) await sleep(clock, SAME_LOCATION_SPACING_MS, signal);
    if (signal.aborted) return undefined;
    meter.count("confirm.recheck");
    return unlessAborted(dispatch(location.code, jobOf(active.check, tick, number)), signal);
  }

  async function conclude(
    tick: Concluded,
    verdict: Exclude<Verdict, { kind: "again" }>,
  ): Promise<void> {
    const { memory } = tick;
    const { check } = memory.active;
    const decided = tick.runs.filter((run) => run.finding !== "undecided");
    const result = resultOf(memory.active, tick.tick, decided);
    if (verdict.kind === "undecided" || result === undefined) {
      await undecided(tick);
      return;
    }
    const stored = await commit(tick, () =>
      verdict.kind === "flip"
        ? flip(tick, { to: verdict.to, decided, result })
        : keep(memory, { decided, result }),
    );
    if (stored) meter.count("confirm.result", { type: check.type, passed: String(result.passed) });
  }

  async function keep(
    memory: Memory,
    { decided, result }: { decided: readonly DecidedRun[]; result: Result },
  ): Promise<void> {
    const resumesDown = memory.state.state === "failing" && !memory.spanIsOpen;
    const shown = shownIn(memory, decided);
    await recordResult(store, result, { ...shown, resumesDown, endsTrouble: memory.inTrouble });
    memory.spanIsOpen ||= resumesDown;
    memory.inTrouble = false;
    rememberShown(memory, result, shown);
  }

  async function flip(
    tick: Concluded,
    found: { to: State; decided: readonly DecidedRun[]; result: Result },
  ): Promise<void> {
    const { memory } = tick;
    const { check } = memory.active;
    const { to, decided, result } = found;
    const shown = shownIn(memory, decided);
    const first = decided.find(({ finding }) => stateOf(finding) === to) ?? result;
    const confirmed = {
      check,
      target: targetWithoutCredentials(check.parameters),
      from: memory.state.state,
      to,
      result,
      at: clock.now(),
      since: first.startedAt,
      confirmations: decided.map(confirmationOf),
      observation: shown,
      diagnosticsLocation: result.location,
    };
    const { won, recipientsTruncated } = await store.write(async (tx) => {
      const recorded = await recordFlip(tx, confirmed, ids);
      if (recorded.won && memory.inTrouble) await tx.states.closeGap(check.no);
      return recorded;
    });
    const event = won ? "confirm.flip" : "confirm.flip_lost";
    meter.count(event, { to });
    log.info(event, {
      check: check.id,
      to,
      text: result.text,
      message: result.message,
      runs: tick.runs.length,
    });
    if (recipientsTruncated) {
      meter.count("confirm.recipients_truncated");
      log.warn("confirm.recipients_truncated", { check: check.id, told: maxRecipients });
    }
    memory.state = await store.states.get(check.no);
    memory.spanIsOpen = won;
    memory.inTrouble &&= !won;
    if (won) rememberShown(memory, result, shown);
    if (won) flipped();
  }

  /** Nothing flips; the check says what the trouble is until a tick has a verdict again. */
  async function undecided(tick: Concluded): Promise<void> {
    const { memory, runs } = tick;
    const last = runs.findLast((run): run is UndecidedRun => run.finding === "undecided");
    const reason = last?.reason ?? "no_majority";
    const message = last?.message ?? "the runs did not agree";
    meter.count("confirm.undecided", { reason });
    log.warn("confirm.undecided", { check: memory.active.check.id, reason, message });
    const gap = {
      kind: "undecided",
      reason,
      message,
      firstTick: tick.tick,
      lastTick: tick.tick,
      ticks: 1,
    } as const;
    await commit(tick, async () => {
      await store.write((tx) => tx.states.recordGap(memory.active.check.no, gap));
      memory.inTrouble = true;
    });
  }

  /** While the store cannot commit the series stays open and waits; what it found is not lost. False where it was ended. */
  async function commit(
    { memory, signal }: Concluded,
    write: () => Promise<void>,
  ): Promise<boolean> {
    while (!signal.aborted) {
      try {
        await write();
        return true;
      } catch (error) {
        if (codeOf(error) !== "unavailable") throw error;
        meter.count("confirm.commit_retry");
        log.error("confirm.commit_retry", {
          check: memory.active.check.id,
          error: messageOf(error),
        });
        await sleep(clock, COMMIT_AGAIN_AFTER_MS, signal);
      }
    }
    return false;
  }
}

interface Concluded {
  readonly memory: Memory;
  readonly tick: number;
  readonly runs: readonly Run[];
  readonly signal: AbortSignal;
}

function verdictOf({ active, state }: Memory, runs: readonly Run[]): Verdict {
  const last = runs.at(-1);
  return evaluateSeries({
    state: state.state,
    rechecks: rechecksOf(active.check),
    runs: runs.map(({ finding }) => finding),
    final: last !== undefined && last.finding !== "undecided" && last.outcome.final === true,
  });
}
