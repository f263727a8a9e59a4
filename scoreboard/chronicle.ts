import { systemClock } from "../src/kit/clock.ts";
import { messageOf } from "../src/kit/errors.ts";
import type { Alarm, Outage, Span, Truth } from "./judge/judge.ts";
import type { Monitor } from "./monitors/monitor.ts";
import type { Step } from "./plan.ts";
import type { Scenario, Trouble } from "./scenario.ts";
import type { Delivery } from "./world/receivers.ts";

/** Events with their times, and the messages that reached the receivers. */
export interface Chronicle {
  readonly note: (step: Step) => void;
  readonly deliver: (delivery: Delivery) => void;
  readonly deliveries: readonly Delivery[];
  /** Calls back for each alert that cannot be read. */
  readonly alarmsOf: (
    monitor: Pick<Monitor, "name" | "read">,
    unreadable: (why: string) => void,
  ) => readonly Alarm[];
  readonly truthFor: (about: About) => Truth;
}

interface About {
  /** The targets that count for the monitor. */
  readonly targets: ReadonlySet<string>;
  readonly scenarios: readonly Scenario[];
  readonly troubles: readonly Trouble[];
  readonly ways: Truth["ways"];
  readonly tellingSeconds: number;
}

/** Beyond the time in which a monitor can tell: an alarm that is later belongs to nothing. */
const LATE_MS = 60_000;

interface Interval {
  readonly from: number;
  readonly to: number;
}

export function createChronicle(): Chronicle {
  const noted: { readonly step: Step; readonly at: number }[] = [];
  const deliveries: Delivery[] = [];
  /** One for each beginning; what was never ended lasts. */
  const intervals = (name: string, [beginning, end]: readonly [string, string]): Interval[] => {
    const found: Interval[] = [];
    for (const { step, at } of noted.filter((one) => one.step.name === name))
      if (step.kind === beginning) found.push({ from: at, to: Infinity });
      else if (step.kind === end) found.push({ from: found.pop()?.from ?? at, to: at });
    return found;
  };
  const outagesOf = (scenario: Scenario, troubles: readonly Trouble[]): readonly Outage[] => {
    const { name, expects, words, pattern } = scenario;
    const all = intervals(name, ["fail", "mend"]);
    const [first] = all;
    const last = all.at(-1);
    const times =
      pattern.kind === "flapping" && first && last ? [{ from: first.from, to: last.to }] : all;
    const trouble = troubles.find((one) => one.name === name && one.isMute);
    const span = trouble && intervals(name, ["begin", "end"])[0];
    return times.map((time) => ({
      ...time,
      target: name,
      scenario: name,
      expects,
      words,
      isFlapping: pattern.kind === "flapping",
      ...(span && { alarmFrom: span.to }),
    }));
  };
  return {
    note: (step) => void noted.push({ step, at: systemClock.monotonic() }),
    deliver: (delivery) => void deliveries.push(delivery),
    deliveries,
    alarmsOf: ({ name, read }, unreadable) =>
      deliveries
        .filter(({ monitor }) => monitor === name)
        .flatMap((delivery) => readingsIn(delivery, read, unreadable)),
    truthFor({ targets, scenarios, troubles, ways, tellingSeconds }) {
      const spans: Span[] = troubles.flatMap(({ name }) =>
        intervals(name, ["begin", "end"]).map(({ from, to }) => ({
          scenario: name,
          from,
          to: to + tellingSeconds * 1000,
        })),
      );
      return {
        outages: scenarios
          .filter(({ name }) => targets.has(name))
          .flatMap((scenario) => outagesOf(scenario, troubles)),
        spans,
        ways,
        lateMs: LATE_MS + tellingSeconds * 1000,
      };
    },
  };
}

const HOUR_MS = 3_600_000;

/** Since minutes and seconds of an hour, which were less than an hour ago. */
function msSince(began: string, now: number): number {
  const ms = Date.parse(`1970-01-01T00:${began}Z`);
  return (((now - ms) % HOUR_MS) + HOUR_MS) % HOUR_MS;
}

function readingsIn(
  delivery: Delivery,
  read: Monitor["read"],
  unreadable: (why: string) => void,
): readonly Alarm[] {
  const { way, at, wallAt } = delivery;
  try {
    return read(delivery).map(({ began, ...reading }) => ({
      ...reading,
      way,
      at,
      ...(began !== undefined && { beganAt: at - msSince(began, wallAt) }),
    }));
  } catch (error) {
    unreadable(messageOf(error));
    return [];
  }
}
