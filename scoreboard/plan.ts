import { createRandom, shuffled, type Random } from "../test/chaos/random.ts";
import type { Schedule } from "./monitors/monitor.ts";
import type { Scenario, Trouble } from "./scenario.ts";

/** One thing that happens, in seconds after the beginning. */
export interface Step {
  readonly at: number;
  readonly kind: "fail" | "mend" | "begin" | "end";
  /** Name of the target or the trouble. */
  readonly name: string;
}

/** All that happens in one session, in order. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly seconds: number;
  /** How long a monitor may take to tell of a failure or of its end. */
  readonly tellingSeconds: number;
}

interface Wanted {
  readonly scenarios: readonly Scenario[];
  readonly troubles: readonly Trouble[];
  readonly schedule: Schedule;
  readonly minutes: number;
  readonly seed: number;
}

/** Beyond the runs in a row that an alarm takes. */
const TELLING_SLACK_SECONDS = 10;
/** Time after a trouble without failures, in which late alarms are still detected. */
const LULL_SECONDS = 40;
/** Time from the start of a trouble to a failure within it. */
const INTO_TROUBLE_SECONDS = 8;
/** Time from the end of a short trouble to the end of the outage. */
const AFTER_RESTART_SECONDS = 20;
const MIN_SPREAD_SECONDS = 20;
const MIN_TROUBLE_SHARE = 0.6;
const MINUTE = 60;

/** Draws the order and the seconds from the seed; targets fail together first, troubles come one after the other then. */
export function createPlan(wanted: Wanted): Plan {
  const { scenarios, schedule, minutes, seed } = wanted;
  const random = createRandom(seed);
  const telling = schedule.intervalSeconds * schedule.confirmations + TELLING_SLACK_SECONDS;
  const failing = scenarios.filter(({ pattern }) => pattern.kind !== "steady");
  const least =
    failing.length === 0 ? 0 : MIN_SPREAD_SECONDS + telling + schedule.timeoutSeconds * 2 + telling;
  const ordered = shuffled(random.split(), wanted.troubles);
  const whole = troubleSteps(ordered, telling, 1).seconds;
  const share = Math.min(1, Math.max(MIN_TROUBLE_SHARE, (minutes * MINUTE - least) / whole));
  const troubled = troubleSteps(ordered, telling, share);
  const settleAll = Math.max(least, failing.length === 0 ? 0 : minutes * MINUTE - troubled.seconds);
  const outages = outageSteps({ failing, random, seconds: settleAll, telling });
  return {
    steps: [
      ...outages,
      ...troubled.steps.map((step) => ({ ...step, at: step.at + settleAll })),
    ].toSorted((one, other) => one.at - other.at),
    seconds: settleAll + troubled.seconds,
    tellingSeconds: telling,
  };
}

interface Together {
  readonly failing: readonly Scenario[];
  readonly random: Random;
  readonly seconds: number;
  readonly telling: number;
}

/** Every target fails in its own way and at its own second; the last seconds are for recoveries. */
function outageSteps({ failing, random, seconds, telling }: Together): readonly Step[] {
  const busy = seconds - telling;
  // Half of the time is for the beginnings, half for how long each lasts, and none ends before it could be told.
  const spread = Math.max(MIN_SPREAD_SECONDS, Math.min(busy / 2, busy - telling - 10));
  const length = busy - spread;
  return shuffled(random.split(), failing).flatMap(({ name, pattern }) => {
    const from = random.next() * spread;
    const pair = (start: number, end: number): readonly Step[] => [
      { at: start, kind: "fail", name },
      { at: end, kind: "mend", name },
    ];
    switch (pattern.kind) {
      case "blips":
        return blipsOf(random, pattern.seconds, busy).flatMap((start) =>
          pair(start, start + pattern.seconds),
        );
      case "flapping":
        return Array.from(
          { length: Math.floor(length / (2 * pattern.seconds)) },
          (_, index) => from + index * 2 * pattern.seconds,
        ).flatMap((start) => pair(start, start + pattern.seconds));
      default:
        return pair(from, from + length);
    }
  });
}

/** One a minute, each at another second, and none in the last ten seconds of a minute, so that it can be seen to recover. */
function blipsOf(random: Random, seconds: number, within: number): readonly number[] {
  const minutes = Math.max(1, Math.floor(within / MINUTE));
  return Array.from(
    { length: minutes },
    (_, minute) => minute * MINUTE + random.next() * (MINUTE - 10 - seconds),
  );
}

function troubleSteps(
  troubles: readonly Trouble[],
  telling: number,
  share: number,
): { readonly steps: readonly Step[]; readonly seconds: number } {
  const steps: Step[] = [];
  let free = 0;
  /** When the last site was mended: its recovery is told until `free`. */
  let calm = 0;
  for (const { name, outage, seconds, isMute } of troubles) {
    const length = outage === undefined ? seconds * share : seconds;
    const from = Math.max(free, outage === "before" ? calm + telling : free);
    const to = from + length;
    steps.push({ at: from, kind: "begin", name }, { at: to, kind: "end", name });
    if (outage === undefined) {
      free = to + LULL_SECONDS;
      calm = free;
      continue;
    }
    const failsAt = outage === "before" ? from - telling : from + INTO_TROUBLE_SECONDS;
    const toldBy = Math.max(failsAt, isMute ? to : failsAt) + telling;
    calm = outage === "before" ? to + AFTER_RESTART_SECONDS : Math.max(to, toldBy);
    steps.push({ at: failsAt, kind: "fail", name }, { at: calm, kind: "mend", name });
    free = calm + telling;
  }
  return { steps, seconds: free };
}
