import { sleep, systemClock } from "../src/kit/clock.ts";
import { messageOf } from "../src/kit/errors.ts";
import { meterCost, type Cost } from "./cost.ts";
import type { Alarm, Truth } from "./judge/judge.ts";
import type { Monitor, Schedule } from "./monitors/monitor.ts";
import { createPlan, type Plan, type Step } from "./plan.ts";
import type { Scenario, Trouble } from "./scenario.ts";
import { siteOf } from "./scenarios/troubles.ts";
import { createChronicle, type Chronicle } from "./chronicle.ts";
import { startCandidate, type Candidate } from "./world/candidate.ts";
import { beginSharedTrouble, beginTrouble, hindrance } from "./world/machine-troubles.ts";
import { openWorld, type World } from "./world/world.ts";

/** Session, whose monitors run concurrently. */
export interface Session {
  readonly monitors: readonly Monitor[];
  readonly scenarios: readonly Scenario[];
  readonly troubles: readonly Trouble[];
  readonly schedule: Schedule;
  readonly minutes: number;
  readonly seed: number;
  /** Whether the clocks of machines can be set. */
  readonly hasClocks: boolean;
  readonly signal: AbortSignal;
  readonly say: (what: string) => void;
}

/** Results of one monitor in a session. */
export interface MonitorRecord {
  readonly name: string;
  readonly version: string;
  readonly schedule: Schedule;
  readonly truth: Truth;
  readonly alarms: readonly Alarm[];
  /** Why a row does not apply to it, by the name of the row. */
  readonly notApplicable: ReadonlyMap<string, string>;
  readonly cost: Cost | undefined;
  readonly stoppedAlerting: string | undefined;
  readonly log: string;
}

export interface SessionRecord {
  readonly plan: Plan;
  /** Everything that came, as it came. */
  readonly deliveries: Chronicle["deliveries"];
  readonly records: readonly MonitorRecord[];
  /** Monitors that did not start, and why. */
  readonly failed: readonly { readonly name: string; readonly why: string }[];
}

/** After all is over: alerts may wait to be sent together. */
const LAST_SECONDS = 65;
/** Runs after the start until something fails. */
const WARM_UP_RUNS = 2;

/** Starts the targets and the monitors, has everything happen that was planned, and gives what each monitor told. */
export async function runSession(session: Session): Promise<SessionRecord> {
  const { scenarios, troubles, signal, say } = session;
  await using stack = new AsyncDisposableStack();
  const chronicle = createChronicle();
  const all = [...scenarios, ...troubles.map(siteOf)];
  const world = stack.use(await openWorld(all, chronicle.deliver));
  const candidates: Candidate[] = [];
  const failed: { name: string; why: string }[] = [];
  for (const monitor of session.monitors) {
    signal.throwIfAborted();
    say(`starting ${monitor.name}`);
    try {
      candidates.push(stack.use(await startCandidate({ monitor, world, session })));
    } catch (error) {
      failed.push({ name: monitor.name, why: messageOf(error) });
      say(`${monitor.name} did not start: ${messageOf(error)}`);
    }
  }
  if (candidates.length === 0) throw new Error("no monitor started");
  const given = troubles.filter(({ kind }) =>
    candidates.some((candidate) => hindrance(kind, candidate) === undefined),
  );
  // Interval of the slowest monitor, so that all have time to alert.
  const intervalSeconds = Math.max(...candidates.map((one) => one.schedule.intervalSeconds));
  const plan = createPlan({
    ...session,
    schedule: { ...session.schedule, intervalSeconds },
    scenarios: scenarios.filter(
      ({ needsLocations }) =>
        needsLocations !== true || candidates.some(({ monitor }) => monitor.locations > 1),
    ),
    troubles: given,
  });
  say(
    `${all.length} targets, ${candidates.length} monitors; ${minutesText(plan.seconds + LAST_SECONDS)} to go`,
  );
  await sleep(systemClock, WARM_UP_RUNS * intervalSeconds * 1000, signal);
  const meters = candidates.map((candidate) => stack.use(meterCost(candidate.running)));
  const spoiled = new Map<string, Map<string, string>>();
  const spoil: Execution["spoil"] = (name, trouble, why) => {
    say(`${name}, ${trouble}: ${why}`);
    spoiled.set(name, new Map(spoiled.get(name)).set(trouble, `could not be given: ${why}`));
  };
  await execute({ plan, session, world, candidates, chronicle, spoil });
  return {
    plan,
    failed,
    deliveries: chronicle.deliveries,
    records: candidates.map((candidate, index) => {
      const { monitor, running, targets } = candidate;
      const notApplicable = new Map([
        ...hindrances(candidate, session, world),
        ...(spoiled.get(monitor.name) ?? []),
      ]);
      const applies = (name: string): boolean => !notApplicable.has(name);
      return {
        name: monitor.name,
        version: candidate.version,
        schedule: candidate.schedule,
        truth: chronicle.truthFor({
          targets: new Set(targets.map(({ id }) => id).filter(applies)),
          scenarios: all,
          troubles,
          ways: monitor.ways,
          tellingSeconds: plan.tellingSeconds,
        }),
        alarms: chronicle
          .alarmsOf(monitor, (why) => say(`an alert of ${monitor.name} cannot be read: ${why}`))
          .filter(({ target }) => applies(target)),
        notApplicable,
        cost: meters[index]?.cost(),
        stoppedAlerting: running.stoppedAlerting(),
        log: running.log(),
      };
    }),
  };
}

/** Why rows do not apply to a monitor, by their names. */
function hindrances(
  candidate: Candidate,
  { scenarios, troubles }: Session,
  { sites }: World,
): readonly (readonly [string, string])[] {
  const { monitor } = candidate;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ...sites.map(
      ({ target: { id, probe } }) =>
        [id, monitor.supports(probe) ? undefined : "does not support the probe"] as const,
    ),
    ...scenarios
      .filter(({ needsLocations }) => needsLocations === true)
      .map(({ name }) => [name, monitor.locations > 1 ? undefined : "has one location"] as const),
    ...troubles.map(({ name, kind }) => [name, hindrance(kind, candidate)] as const),
  ];
  return rows.flatMap(([name, why]) => (why === undefined ? [] : [[name, why] as const]));
}

function minutesText(seconds: number): string {
  return `${(seconds / 60).toFixed(1)} minutes`;
}

interface Execution {
  readonly plan: Plan;
  readonly session: Session;
  readonly world: World;
  readonly candidates: readonly Candidate[];
  readonly chronicle: Chronicle;
  /** Records that a trouble could not be started or ended for a monitor. */
  readonly spoil: (monitor: string, trouble: string, why: string) => void;
}

/** Takes each step at its second. */
async function execute(execution: Execution): Promise<void> {
  const { plan, session, chronicle } = execution;
  await using active = new AsyncDisposableStack();
  const begun = new Map<string, AsyncDisposable>();
  const beganAt = systemClock.monotonic();
  const reach = async (second: number): Promise<void> => {
    const waitMs = beganAt + second * 1000 - systemClock.monotonic();
    await sleep(systemClock, Math.max(0, waitMs), session.signal);
    session.signal.throwIfAborted();
  };
  active.defer(async () => {
    for (const one of begun.values()) await one[Symbol.asyncDispose]();
  });
  for (const step of plan.steps) {
    await reach(step.at);
    const key = `${step.kind === "fail" || step.kind === "mend" ? "site" : "trouble"} ${step.name}`;
    if (step.kind === "fail" || step.kind === "begin") {
      if (step.kind === "begin") session.say(`${step.name} begins`);
      // Noted before: an alarm in between is no false one.
      chronicle.note(step);
      begun.set(key, await begin(execution, step));
    } else {
      await begun.get(key)?.[Symbol.asyncDispose]();
      begun.delete(key);
      chronicle.note(step);
      if (step.kind === "end") session.say(`${step.name} ends`);
    }
  }
  await reach(plan.seconds + LAST_SECONDS);
}

async function begin(
  { world, candidates, session, spoil }: Execution,
  { kind, name }: Step,
): Promise<AsyncDisposable> {
  if (kind === "fail") {
    const site = world.sites.find(({ scenario }) => scenario.name === name);
    if (site === undefined) throw new Error(`no site ${name}`);
    return site.fail();
  }
  const trouble = session.troubles.find((one) => one.name === name);
  if (trouble === undefined) throw new Error(`no trouble ${name}`);
  const stack = new AsyncDisposableStack();
  stack.use(await beginSharedTrouble(trouble.kind, world));
  const troubled = candidates.filter((one) => hindrance(trouble.kind, one) === undefined);
  const begun = troubled.map(async (candidate) => {
    const spoiled = (error: unknown): void => spoil(candidate.monitor.name, name, messageOf(error));
    try {
      const one = await beginTrouble(trouble.kind, candidate);
      stack.defer(() => Promise.resolve(one[Symbol.asyncDispose]()).catch(spoiled));
    } catch (error) {
      spoiled(error);
    }
  });
  await Promise.all(begun);
  return { [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
