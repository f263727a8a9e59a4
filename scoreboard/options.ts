import { existsSync } from "node:fs";
import type { ParseArgsOptionsConfig } from "node:util";

import type { Monitor, Schedule } from "./monitors/monitor.ts";
import { monitors } from "./monitors/registry.ts";
import type { Scenario, Trouble } from "./scenario.ts";
import { controls } from "./scenarios/network.ts";
import { scenarios } from "./scenarios/registry.ts";
import { troubles } from "./scenarios/troubles.ts";

export const options = {
  minutes: { type: "string", default: "35" },
  only: { type: "string" },
  monitors: { type: "string" },
  seed: { type: "string", default: "1" },
  interval: { type: "string", default: "15" },
  fast: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  output: { type: "string", default: "." },
  help: { type: "boolean", default: false },
} as const satisfies ParseArgsOptionsConfig;

export const usage = `npm run scoreboard -- [options]: grades monitors side by side by scripted failures, as root.
  --minutes 35      how long it takes, beside starts and the session of clocks; never less than its scenarios need
  --only NAME,...   these scenarios alone, or all whose names begin so
  --monitors A,B    these monitors alone: ${monitors.map(({ name }) => name).join()}
  --seed 1          draws the order, and the seconds at which everything begins
  --interval 15     seconds between two runs of a check: 15, 30 or 60
  --fast            every check runs as often as its monitor accepts, at most each 5 seconds, and one failed run is an alarm
  --output .        the folder for scoreboard.html, scoreboard.json and scoreboard.md
  --list            the scenarios, and nothing else
It ends with 1 where Watchpost did anything wrong.
`;

/** Options of a run. */
export interface Options {
  readonly monitors: readonly Monitor[];
  readonly scenarios: readonly Scenario[];
  readonly troubles: readonly Trouble[];
  readonly schedule: Schedule;
  readonly minutes: number;
  readonly seed: number;
  readonly output: string;
}

interface Values {
  readonly minutes: string;
  readonly only?: string;
  readonly monitors?: string;
  readonly seed: string;
  readonly interval: string;
  readonly fast: boolean;
  readonly output: string;
}

const INTERVALS: readonly number[] = [15, 30, 60];
const TIMEOUT_SECONDS = 5;
/** Not shorter than the timeout, so that runs of one check do not overlap. */
const FAST_INTERVAL_SECONDS = TIMEOUT_SECONDS;
const CONFIRMATIONS = 3;

/** Throws an error that names the option where one is invalid. */
export function optionsFrom(values: Values): Options {
  const intervalSeconds = values.fast ? FAST_INTERVAL_SECONDS : Number(values.interval);
  if (!values.fast && !INTERVALS.includes(intervalSeconds))
    throw new Error(`--interval must be one of ${INTERVALS.join(", ")}`);
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes < Infinity)) throw new Error("--minutes must be a number above 0");
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0)
    throw new Error("--seed must be a whole number of 0 or more");
  if (!existsSync(values.output))
    throw new Error(`--output: there is no folder ${JSON.stringify(values.output)}`);
  const names = values.only?.split(",");
  const isChosen = ({ name }: { readonly name: string }): boolean =>
    names === undefined || names.some((part) => name.startsWith(part));
  for (const part of names ?? [])
    if (![...scenarios, ...troubles].some(({ name }) => name.startsWith(part)))
      throw new Error(`--only: there is no scenario ${part}; --list prints them`);
  return {
    monitors: chosenMonitors(values.monitors),
    scenarios: [
      ...scenarios.filter(isChosen).map((one) => (values.fast ? unconfirmed(one) : one)),
      ...controls,
    ],
    troubles: troubles.filter(isChosen),
    schedule: {
      intervalSeconds,
      timeoutSeconds: TIMEOUT_SECONDS,
      confirmations: values.fast ? 1 : CONFIRMATIONS,
    },
    minutes,
    seed,
    output: values.output,
  };
}

/** Where one failed run is an alarm, a run that meets a short outage, or is of the wrong location, gives no false one. */
function unconfirmed(scenario: Scenario): Scenario {
  const { pattern, needsLocations } = scenario;
  return pattern.kind === "blips" || needsLocations === true
    ? { ...scenario, expects: "may" }
    : scenario;
}

function chosenMonitors(list: string | undefined): readonly Monitor[] {
  if (list === undefined) return monitors;
  return [...new Set(list.split(","))].map((name) => {
    const found = monitors.find((monitor) => monitor.name === name);
    if (found === undefined)
      throw new Error(
        `--monitors: there is no ${name}; there are ${monitors.map((monitor) => monitor.name).join()}`,
      );
    return found;
  });
}
