interface ServiceProblemKind {
  /** Description of the problem, as a sentence. */
  readonly meaning: string;
  /** The part of the service, as the subject of an alert: "Watchpost mail server". */
  readonly part: string;
  /** Whether checks are not run or alerts not delivered while it lasts. */
  readonly critical: boolean;
  /** Whether every process sees the same, so that one of them alerts the operator for all. */
  readonly shared: boolean;
  /** Milliseconds for which it must last before it counts. */
  readonly afterMs: number;
}

/** Everything that can be wrong with the service itself, by the value of the label `problem` of its metric. */
export const serviceProblems = {
  database: {
    meaning: "Nothing can be stored, or read.",
    part: "database",
    critical: true,
    shared: false,
    afterMs: 10_000,
  },
  disk: {
    meaning: "The disk is full: alerts go on from the reserve, results are not kept.",
    part: "disk",
    critical: true,
    shared: false,
    afterMs: 0,
  },
  checks_uncontrolled: {
    meaning: "No process with the role controller runs some or all of the checks.",
    part: "controllers",
    critical: true,
    shared: true,
    // Longer than the last report of a dead controller counts, because one of the others alerts of it then.
    afterMs: 25_000,
  },
  nats: {
    meaning:
      "There is no connection to the NATS server, so locations on other machines cannot be asked.",
    part: "NATS connection",
    critical: true,
    shared: false,
    afterMs: 15_000,
  },
  locations_cut_off: {
    meaning: "Locations are not listened to, because of what they send.",
    part: "locations on other machines",
    critical: false,
    shared: true,
    afterMs: 10_000,
  },
  no_location: {
    meaning: "No location is live, so no check is run.",
    part: "locations",
    critical: true,
    shared: true,
    afterMs: 30_000,
  },
  location: {
    meaning: "A location that was live, and is not forgotten, runs no checks.",
    part: "location",
    critical: false,
    shared: true,
    afterMs: 30_000,
  },
  offline: {
    meaning: "A location reaches none of its targets.",
    part: "network of location",
    critical: true,
    shared: false,
    afterMs: 10_000,
  },
  resolver: {
    meaning: "The resolver of a location does not answer.",
    part: "resolver of location",
    critical: true,
    shared: false,
    afterMs: 10_000,
  },
  runs_undecided: {
    meaning:
      "Three or more runs from a location within two minutes had no outcome, for a reason of the service.",
    part: "runs from",
    critical: false,
    shared: false,
    afterMs: 0,
  },
  runs_missed: {
    meaning:
      "Ten or more runs were missed within two minutes, not counting those of checks that were still running.",
    part: "scheduler",
    critical: true,
    shared: false,
    afterMs: 0,
  },
  stalled: {
    meaning: "The process could not receive or act for 20 of the last 120 seconds.",
    part: "process",
    critical: true,
    shared: false,
    afterMs: 0,
  },
  mail_server: {
    meaning: "The mail server could not be used twice in a row.",
    part: "mail server",
    critical: true,
    shared: false,
    afterMs: 0,
  },
  alerts_unclaimed: {
    meaning: "Alerts have been due for 90 seconds, and no process tries to send them.",
    part: "notifier",
    critical: true,
    shared: true,
    afterMs: 0,
  },
  alerts_delayed: {
    meaning: "Alerts by email, text, call or another provider of yours have been due for a minute.",
    part: "alerts by",
    critical: true,
    shared: true,
    afterMs: 0,
  },
  receivers: {
    meaning: "Alerts to a webhook, Slack or PagerDuty have been due for five minutes.",
    part: "receivers of alerts by",
    critical: false,
    shared: true,
    afterMs: 0,
  },
  clock: {
    meaning:
      "The clock was set by 10 seconds or more within five minutes, or differs as much from that of the dead man's switch.",
    part: "clock",
    critical: false,
    shared: false,
    afterMs: 0,
  },
  partitions: {
    meaning: "PostgreSQL has partitions for fewer than three days to come.",
    part: "partitions",
    critical: true,
    shared: true,
    afterMs: 60_000,
  },
  database_distance: {
    meaning:
      "A round trip to PostgreSQL takes more than 150 ms, so results and alerts are late while many checks change their state.",
    part: "distance to the database",
    critical: false,
    shared: false,
    afterMs: 30_000,
  },
  backup: {
    meaning:
      "Scheduled backups failed twice in a row, or one is two hours late. Without a schedule: the latest backup is more than eight days old.",
    part: "backup",
    critical: false,
    shared: true,
    afterMs: 0,
  },
  dead_mans_switch: {
    meaning: "The URL of the dead man's switch cannot be reached, or does not accept the request.",
    part: "dead man's switch",
    critical: false,
    shared: false,
    afterMs: 0,
  },
} as const satisfies Readonly<Record<string, ServiceProblemKind>>;

export type ServiceProblemName = keyof typeof serviceProblems;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets its keys
export const serviceProblemNames = Object.keys(serviceProblems) as readonly ServiceProblemName[];

export interface ServiceProblem {
  readonly name: ServiceProblemName;
  /** Location or channel concerned; empty if neither. */
  readonly subject: string;
  /** A sentence for the operator. */
  readonly found: string;
}

export interface OpenServiceProblem extends ServiceProblem {
  /** Start, in ms since the epoch. */
  readonly since: number;
}

/** Returns the problem's title for the operator, such as "Watchpost alerts by email". */
export function titleOfProblem({ name, subject }: Omit<ServiceProblem, "found">): string {
  const { part } = serviceProblems[name];
  return `Watchpost ${part}${subject === "" ? "" : ` ${subject}`}`;
}
