import type { Timings } from "../../domain/run/timings.ts";
import { labelsText } from "./labels.ts";
import type { MeasuredCheck } from "./measured-check.ts";

/** Sample of a check: its value, and labels besides those of all its metrics. */
type Sample = readonly [value: number, labels?: string];

/** Checks speak no other. */
const HTTP_VERSION = 1.1;

/** A metric of every check that has it. All of them are gauges. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly samples: (check: MeasuredCheck) => readonly Sample[];
}

/** Metrics that begin with `probe_` have the same names and meanings as in the blackbox exporter. */
export const families: readonly Family[] = [
  {
    name: "probe_success",
    help: "Whether the check is up by its last verdict: 1 or 0. None of a check that does not run, or has no verdict yet.",
    samples: ({ isPassing }) => (isPassing === undefined ? [] : [[isPassing ? 1 : 0]]),
  },
  {
    name: "probe_duration_seconds",
    help: "How long the last run took.",
    samples: ({ last }) => seconds(measuredMs(last)),
  },
  {
    name: "probe_dns_lookup_time_seconds",
    help: "How long the last run took to resolve the name of its target.",
    samples: ({ last }) => seconds(last?.timings?.dns),
  },
  {
    name: "probe_http_duration_seconds",
    help: "How long each phase of the last run took, by the label phase, of checks of a URL; redirects that were followed are in the phase resolve.",
    samples: ({ last, isWeb }) =>
      isWeb && last?.timings !== undefined
        ? phasesOf(last.timings).map(([phase, ms]) => [ms / 1000, labelsText({ phase })])
        : [],
  },
  {
    name: "probe_http_status_code",
    help: "The status of the last response by HTTP.",
    samples: ({ last, isWeb }) => (isWeb && hasStatus(last) ? [[Number(last?.text)]] : []),
  },
  {
    name: "probe_http_version",
    help: "The version of HTTP in which checks of a URL ask, of those whose last run got a response: 1.1.",
    samples: ({ last, isWeb }) => (isWeb && hasStatus(last) ? [[HTTP_VERSION]] : []),
  },
  {
    name: "probe_http_ssl",
    help: "Whether the last run of a check of a URL used TLS: 1 or 0.",
    samples: ({ last, isWeb }) =>
      isWeb && last?.timings !== undefined ? [[last.timings.tls === undefined ? 0 : 1]] : [],
  },
  {
    name: "probe_ssl_earliest_cert_expiry",
    help: "When the certificate of the target expires, as a Unix time; the earliest of those that locations were shown.",
    samples: ({ certificateEnds }) => seconds(certificateEnds),
  },
  {
    name: "watchpost_check_info",
    help: "What a check is: 1, with its type, the id of its account and its tags as labels.",
    samples: ({ info }) => [[1, info]],
  },
  {
    name: "watchpost_check_status",
    help: "How a check is in one word, the label status: 1.",
    samples: ({ word }) => [[1, labelsText({ status: word })]],
  },
  {
    name: "watchpost_check_location_failing",
    help: "1 for each location, the label location, at which the latest run failed, of checks that several locations run; also while the check is up.",
    samples: ({ failingLocations }) =>
      failingLocations.map((location) => [1, labelsText({ location })]),
  },
  {
    name: "watchpost_check_interval_seconds",
    help: "Time between two runs, or two heartbeats.",
    samples: ({ intervalMinutes }) => [[intervalMinutes * 60]],
  },
  {
    name: "watchpost_check_last_run_timestamp_seconds",
    help: "When the last run of a check began, or its last heartbeat arrived.",
    samples: ({ last }) => seconds(last?.startedAt),
  },
  {
    name: "watchpost_heartbeat_last_timestamp_seconds",
    help: "When the last heartbeat arrived, of checks that wait for heartbeats.",
    samples: ({ last, isHeartbeat }) => (isHeartbeat ? seconds(last?.startedAt) : []),
  },
  {
    name: "watchpost_heartbeat_expected_timestamp_seconds",
    help: "When the next heartbeat is expected, of checks that fail without.",
    samples: ({ expected }) => seconds(expected),
  },
];

/** Returns whether the last run got a response by HTTP. */
function hasStatus(last: MeasuredCheck["last"]): boolean {
  return /^[1-5]\d\d$/.test(last?.text ?? "");
}

function seconds(ms: number | undefined): readonly Sample[] {
  return ms === undefined ? [] : [[ms / 1000]];
}

/** Zero without phases means that no times were recorded. */
function measuredMs(last: MeasuredCheck["last"]): number | undefined {
  return last?.runtimeMs === 0 && last.timings === undefined ? undefined : last?.runtimeMs;
}

/** Phases are stored as the time of their end. */
function phasesOf({
  dns = 0,
  connect,
  tls,
  firstByte,
  total,
}: Timings): readonly (readonly [phase: string, ms: number])[] {
  const ends = [
    ["resolve", dns],
    ["connect", connect],
    ["tls", tls],
    ["processing", firstByte],
    ["transfer", firstByte === undefined ? undefined : total],
  ] as const;
  let began = 0;
  return ends.flatMap(([phase, end]) => {
    if (end === undefined) return [];
    const ms = Math.max(0, end - began);
    began = Math.max(began, end);
    return [[phase, ms] as const];
  });
}
