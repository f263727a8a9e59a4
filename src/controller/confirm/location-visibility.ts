import type { DueTick } from "../../tracking/due-tick.ts";
import type { TrackedCheck } from "../../tracking/tracked-check.ts";
import { replyWithinMs, type Bus, type Report } from "../../bus/bus.ts";
import { jobOf } from "../../bus/job.ts";
import type { Invalidation } from "../../domain/change.ts";
import { isNetworkFailure, type Outcome } from "../../domain/run/outcome.ts";
import { sleep, type Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { isLoopbackAddress, networkOf, type Egress } from "../../kit/net/egress.ts";
import type { DecidedRun } from "./run.ts";
import {
  addressInParameters,
  createReadWitnesses,
  hostInParameters,
  WITNESS_FOR_MS,
  type ReadWitnesses,
  type WitnessStore,
  type Witness,
} from "./stored-witnesses.ts";

/** Targets that a location reaches by the same path: those on the Internet, or those of its own networks. */
export type Side = "public" | "private";

type Observed = Pick<
  DecidedRun,
  "location" | "startedAt" | "endedAt" | "outcome" | "connectivityConfirmed"
>;

/** Whether each location still reaches any target, by what the runs of all checks there show. */
export interface LocationVisibility {
  /** Notes a run; one that fails has the location looked at. */
  readonly record: (due: DueTick, tracked: TrackedCheck, run: Observed) => void;
  /** Returns the side on which the location reached nothing when the run failed; undefined if the target may have failed. */
  readonly blindSide: (tracked: TrackedCheck, run: Observed) => Promise<Side | undefined>;
  /**
   * Whether the run fell, in part or as a whole, into a time in which the location reached nothing on the side of the target: since the last
   * run before it that reached anything, until the end of the first one after it.
   */
  readonly wasBlind: (tracked: TrackedCheck, run: Observed) => boolean;
  /** Whether the location reached public targets at its last test. */
  readonly isOnline: (location: string) => boolean;
  /** Forgets checks whose configuration changed: they are not run as witnesses any more. */
  readonly forget: (change: Invalidation) => void;
}

interface Deps {
  readonly store: WitnessStore;
  readonly bus: Pick<Bus, "jobs">;
  readonly egress: Pick<Egress, "isPublic">;
  readonly clock: Pick<Clock, "now" | "monotonic" | "setTimer">;
  readonly log: Log;
  readonly meter: Meter;
}

/** A witness that this process saw pass. */
interface KnownWitness extends Witness {
  readonly passedAt: number;
}

/** Recent results of a location on one side. */
interface View {
  /** Start of the last run that reached its target. */
  reachedAt: number;
  /** The hosts that passed before, and failed since then; a few of them, for two are enough. */
  readonly failing: Set<string>;
  /** Witnesses by host, the most recently passed last. */
  readonly witnesses: Map<string, KnownWitness>;
  /** Pending witness runs. */
  asking: Promise<void> | undefined;
  askedAt: number;
  blindUntil: number;
  /** Start of the last successful run, if nothing is reached now. */
  blindSince: number | undefined;
  /** The last times in which nothing was reached, the latest at the end. */
  readonly blindTimes: { readonly from: number; readonly to: number }[];
}

const MAX_FAILING = 16;
const MAX_WITNESSES = 4;
/** Minimum interval between witness runs, so that an account with failing checks causes few runs of other accounts' checks. */
const ASK_INTERVAL_MS = 1000;
/** A failure is not confirmed before the witnesses have ended. */
const MAX_RUN_MS = 5000;
/** If memory has fewer witnesses, more are read from the store, because one of them may be the failing target itself. */
const ENOUGH_WITNESSES = 2;
/** A series of runs meets no more of them, where a link comes and goes. */
const MAX_BLIND_TIMES = 8;
/** Time after which a blind location counts as sighted again if no target was reached and no failure was judged there. */
const BLIND_FOR_MS = 600_000;

/** Judges by the runs of all checks, and by those of witnesses where no other run says enough. */
export function createLocationVisibility(deps: Deps): LocationVisibility {
  const { egress, clock, log, meter } = deps;
  const views = new Map<string, Partial<Record<Side, View>>>();

  const viewOf = (location: string, side: Side): View => {
    const sides = views.get(location) ?? {};
    views.set(location, sides);
    return (sides[side] ??= emptyView());
  };
  const sideOf = createSides(egress);
  const askWitnesses = createWitnessRounds({
    ...deps,
    readWitnesses: createReadWitnesses(deps),
    viewOf: (location, tracked, outcome) => {
      const side = sideOf(tracked, outcome);
      return side && viewOf(location, side);
    },
  });

  const sight: LocationVisibility = {
    record(due, tracked, run) {
      const { location, startedAt, outcome, connectivityConfirmed } = run;
      const side = sideOf(tracked, outcome);
      if (side === undefined) return;
      const view = viewOf(location, side);
      if (isNetworkFailure(outcome)) {
        if (tracked.state === "failing" || outcome.passed || connectivityConfirmed) return;
        if (tracked.state === "passing") noteFailure(view, hostOf(tracked, outcome));
        // Must start now, because it cannot be determined once the location reaches something again.
        void sight.blindSide(tracked, run).catch(() => {});
        // Without an address nothing was dialled.
      } else if (outcome.address !== undefined) {
        noteReached(view, startedAt, clock.now());
        const witness = { active: due.active, tracked, passedAt: clock.monotonic() };
        if (outcome.passed) addWitness(view, networkOf(outcome.address), witness);
      }
    },
    async blindSide(tracked, { location, startedAt, outcome, connectivityConfirmed }) {
      if (connectivityConfirmed || !isNetworkFailure(outcome)) return undefined;
      const side = sideOf(tracked, outcome);
      if (side === undefined) return undefined;
      const view = viewOf(location, side);
      const host = hostOf(tracked, outcome);
      const look = (): boolean | undefined =>
        isBlindNow(view, { host, startedAt, now: clock.now() });
      const ask = (): Promise<void> =>
        askWitnesses({ location, host, failed: tracked.check }, view);
      if (!(await isFoundBlind(view, { look, ask }))) return undefined;
      view.blindSince ??= Math.min(view.reachedAt, startedAt);
      view.blindUntil = clock.monotonic() + BLIND_FOR_MS;
      meter.count("confirm.location_blind", { location });
      log.warn("confirm.location_blind", { location, targets: side }, `${location} ${side}`);
      return side;
    },
    wasBlind(tracked, { location, startedAt, endedAt, outcome, connectivityConfirmed }) {
      if (connectivityConfirmed || !isNetworkFailure(outcome)) return false;
      const side = sideOf(tracked, outcome);
      const { blindTimes = [] } = (side && views.get(location)?.[side]) ?? {};
      return blindTimes.some(({ from, to }) => startedAt < to && endedAt > from);
    },
    isOnline: (location) =>
      (views.get(location)?.public?.blindUntil ?? -Infinity) <= clock.monotonic(),
    forget(change) {
      for (const { witnesses } of [...views.values()].flatMap((sides) => Object.values(sides)))
        for (const [host, witness] of witnesses)
          if (concerns(change, witness)) witnesses.delete(host);
    },
  };
  return sight;
}

type SideOf = (tracked: TrackedCheck, outcome: Outcome | undefined) => Side | undefined;

function createSides(egress: Deps["egress"]): SideOf {
  /** Last known side of each check's target. */
  const sides = new WeakMap<TrackedCheck, Side | "here">();
  /** Undefined for what no network lies between. A name that is not found any more is of the side that it was on. */
  return (tracked, outcome) => {
    const address = outcome?.address ?? addressInParameters(tracked.check.parameters);
    if (address !== undefined) {
      const isHere = isLoopbackAddress(address);
      sides.set(tracked, egress.isPublic(address) ? "public" : isHere ? "here" : "private");
    }
    const side = sides.get(tracked) ?? "public";
    return side === "here" ? undefined : side;
  };
}

/** Asks witnesses unless a look is enough. */
async function isFoundBlind(
  view: View,
  { look, ask }: { readonly look: () => boolean | undefined; readonly ask: () => Promise<void> },
): Promise<boolean> {
  const isBlind = look();
  if (isBlind === false) return false;
  if (isBlind === true && view.blindSince !== undefined) {
    // It is known to be blind, and this finds out when that ends.
    void ask().catch(() => {});
    return true;
  }
  // A round in progress may have started before this run failed.
  const mayNeedAnother = view.asking !== undefined;
  // Others that fail as well may have failed with it: those that passed last decide.
  await ask();
  if (look() === undefined && mayNeedAnother) await ask();
  return look() === true;
}

/** A failure that others are to judge. */
interface Failure {
  readonly location: string;
  readonly host: string;
  readonly failed: TrackedCheck["check"];
}

interface RoundDeps extends Pick<Deps, "bus" | "clock"> {
  readonly readWitnesses: ReadWitnesses;
  /** Returns the view for the target's side; undefined if no network is involved. */
  readonly viewOf: (
    location: string,
    tracked: TrackedCheck,
    outcome: Outcome | undefined,
  ) => View | undefined;
}

/** Runs the witnesses of a view at its location; all who ask meanwhile share the round. */
function createWitnessRounds({
  bus,
  clock,
  readWitnesses,
  viewOf,
}: RoundDeps): (failure: Failure, view: View) => Promise<void> {
  const witnessesOf = async (
    { location, failed }: Failure,
    view: View,
  ): Promise<ReadonlyMap<string, Witness>> => {
    const known = usableWitnesses(view, clock.monotonic());
    if (known.size >= ENOUGH_WITNESSES) return known;
    // Witnesses controlled by other processes, or that passed before this process started.
    const numbers = [...known.values()].map(({ tracked }) => tracked.check.no);
    return new Map([...(await readWitnesses(location, [...numbers, failed.no])), ...known]);
  };
  const ask = async (failure: Failure, view: View): Promise<void> => {
    const { location, host: failedHost } = failure;
    const waitMs = view.askedAt + ASK_INTERVAL_MS - clock.monotonic();
    // guard: witnesses that are run once in a second
    if (waitMs > 0) await sleep(clock, waitMs);
    view.askedAt = clock.monotonic();
    const startedAt = clock.now();
    const witnesses = await witnessesOf(failure, view);
    if ([...witnesses.keys()].every((host) => host === failedHost)) return;
    const asked = [...witnesses].map(async ([host, { active, tracked }]) => {
      const own = jobOf(active, startedAt, { attempt: 1, state: undefined });
      const job = { ...own, timeoutMs: Math.min(own.timeoutMs, MAX_RUN_MS) };
      const timeoutMs = replyWithinMs(job);
      const report = await bus.jobs.request(location, job, { timeoutMs }).catch(() => undefined);
      if (report === undefined) return;
      const outcome = "error" in report ? undefined : report.outcome;
      const seen = viewOf(location, tracked, outcome);
      const found = findingOf(report);
      if (seen === undefined) return;
      if (found === "fails")
        noteFailure(seen, outcome?.address === undefined ? host : networkOf(outcome.address));
      if (found === "reached") noteReached(seen, startedAt, clock.now());
    });
    await firstReached(asked, () => view.reachedAt >= startedAt);
  };
  return (failure, view) => {
    view.asking ??= ask(failure, view).finally(() => {
      view.asking = undefined;
    });
    return view.asking;
  };
}

function emptyView(): View {
  return {
    reachedAt: -Infinity,
    failing: new Set(),
    witnesses: new Map(),
    asking: undefined,
    askedAt: -Infinity,
    blindUntil: -Infinity,
    blindSince: undefined,
    blindTimes: [],
  };
}

function noteReached(view: View, startedAt: number, now: number): void {
  if (view.blindSince !== undefined) {
    // Only its end shows that there was a network again: the run may have begun without one.
    view.blindTimes.push({ from: view.blindSince, to: now });
    if (view.blindTimes.length > MAX_BLIND_TIMES) view.blindTimes.shift();
    view.blindSince = undefined;
  }
  view.reachedAt = Math.max(view.reachedAt, startedAt);
  view.failing.clear();
  view.blindUntil = -Infinity;
}

function noteFailure({ failing }: View, host: string): void {
  if (failing.size < MAX_FAILING) failing.add(host);
}

function addWitness({ witnesses }: View, host: string, witness: KnownWitness): void {
  // Deleted first, so that the map stays in the order of passes.
  witnesses.delete(host);
  witnesses.set(host, witness);
  const [oldest] = witnesses.keys();
  if (witnesses.size > MAX_WITNESSES && oldest !== undefined) witnesses.delete(oldest);
}

/** Returns whether other hosts failed and none was reached since a host started to fail; undefined if unknown. */
function isBlindNow(
  { reachedAt, failing }: View,
  {
    host,
    startedAt,
    now,
  }: { readonly host: string; readonly startedAt: number; readonly now: number },
): boolean | undefined {
  // If the clock was set back, the last success is in the future.
  if (reachedAt >= startedAt && reachedAt <= now) return false;
  return [...failing].some((other) => other !== host) ? true : undefined;
}

function concerns(change: Invalidation, { active, tracked }: Witness): boolean {
  if (change === "everything") return true;
  const { accountId, checkNo } = change;
  return checkNo === undefined
    ? accountId === active.check.accountId
    : checkNo === tracked.check.no;
}

/** Returns the address, which several names may share, or the name if none was dialled. */
function hostOf({ check }: TrackedCheck, { address }: Outcome): string {
  return address === undefined ? hostInParameters(check.parameters) : networkOf(address);
}

function usableWitnesses(
  { witnesses }: Pick<View, "witnesses">,
  now: number,
): ReadonlyMap<string, Witness> {
  return new Map(
    [...witnesses].filter(
      ([, { tracked, passedAt }]) => tracked.state === "passing" && passedAt > now - WITNESS_FOR_MS,
    ),
  );
}

function findingOf(report: Report): "reached" | "fails" | "unknown" {
  if ("error" in report) return report.error === "offline" ? "fails" : "unknown";
  const { outcome } = report;
  if (isNetworkFailure(outcome)) return outcome.passed ? "unknown" : "fails";
  return outcome.address === undefined ? "unknown" : "reached";
}

/** Resolves once a witness was reached, and else when all have ended. */
function firstReached(asked: readonly Promise<void>[], isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let left = asked.length;
    if (left === 0) resolve();
    const ended = (): void => {
      left -= 1;
      if (left === 0 || isReached()) resolve();
    };
    for (const each of asked) void each.then(ended, ended);
  });
}
