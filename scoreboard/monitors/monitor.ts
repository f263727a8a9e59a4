/** Probe in terms that no monitor defines. */
export type Probe =
  | {
      readonly kind: "http";
      readonly url: string;
      /** The expected status; without it, any of 200 to 299. */
      readonly status?: number;
      readonly contains?: string;
      readonly lacks?: string;
      /** Whether the certificate must be valid; true where it is missing. */
      readonly verifyTls?: boolean;
      /** Whether redirects are followed; true where it is missing. */
      readonly followRedirects?: boolean;
      readonly family?: 4 | 6;
    }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "ping"; readonly host: string }
  | {
      readonly kind: "dns";
      readonly server: string;
      readonly port: number;
      readonly name: string;
      readonly record: "A" | "AAAA";
      readonly expects?: string;
    }
  | { readonly kind: "smtp"; readonly host: string; readonly port: number }
  | {
      readonly kind: "tls";
      readonly host: string;
      readonly port: number;
      readonly warnDays?: number;
    };

export interface Target {
  /** Consists of `[a-z0-9-]`; every alert must contain it. */
  readonly id: string;
  readonly probe: Probe;
}

export interface Schedule {
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  /** Failed runs in a row before an alarm. */
  readonly confirmations: number;
}

/** The schedule of a run as far as a monitor accepts it. */
export function scheduleFor(
  { minIntervalSeconds = 0 }: Pick<Monitor, "minIntervalSeconds">,
  { intervalSeconds, ...rest }: Schedule,
): Schedule {
  return { ...rest, intervalSeconds: Math.max(intervalSeconds, minIntervalSeconds) };
}

/** How a monitor sends alerts. */
export type Way = "webhook" | "mail";

/** The machine that a monitor runs on, and what it is asked to do there. */
export interface MonitorWorld {
  /** A folder of its own on a small disk of its own, which a scenario fills. */
  readonly folder: string;
  /** The beginning of every command, which runs the rest on this machine. */
  readonly enter: readonly string[];
  /** Two more machines, for a monitor that checks from several locations. */
  readonly otherLocations: readonly { readonly name: string; readonly enter: readonly string[] }[];
  /** Targets that the monitor supports. */
  readonly targets: readonly Target[];
  readonly schedule: Schedule;
  /** Takes a POST with any body. */
  readonly webhook: string;
  /** Takes mail without TLS or a password. */
  readonly smtp: { readonly host: string; readonly port: number };
  readonly mailTo: string;
  /** The name server of the machine, also in its `/etc/resolv.conf`. */
  readonly resolver: string;
  /** The PEM file of the authority that signed the valid certificates; it is in the machine's trust store too. */
  readonly authority: string;
  /** The address of the machine, and the first of 100 ports that the monitor may use. */
  readonly listen: { readonly address: string; readonly firstPort: number };
}

export interface RunningMonitor extends AsyncDisposable {
  /** All processes that it needs, for CPU time, memory and signals. */
  readonly pids: () => readonly number[];
  /** Log output. */
  readonly log: () => string;
  /** Why its rows do not count, where it stopped alerting for a reason of its own. */
  readonly stoppedAlerting: () => string | undefined;
  /** Kills all its processes with SIGKILL, and starts them again on the same data. */
  readonly restart?: () => Promise<void>;
  /** Troubles of parts of a monitor, as far as it has these parts; each begins with the call, and ends when it is disposed of. */
  readonly partTroubles?: Readonly<Partial<Record<PartTrouble, () => Promise<AsyncDisposable>>>>;
}

/** The database does not answer; what is not the database is ended with SIGTERM and started again, as an upgrade does. */
export type PartTrouble = "database" | "upgrade";

/** An alarm or its end, as a monitor reported it. */
export interface Reading {
  readonly target: string;
  /** `past` is an outage from its beginning to its end, told once it was over. */
  readonly state: "down" | "up" | "past";
  /** In the words of the monitor. */
  readonly reason: string;
  /** When a past outage began: minutes and seconds of an hour, so that no time zone matters. */
  readonly began?: string;
}

export interface Received {
  readonly way: Way;
  readonly body: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Monitor {
  /** Consists of `[a-z0-9-]`, for `--monitors`. */
  readonly name: string;
  readonly version: () => Promise<string>;
  /** Debian packages that it needs. */
  readonly packages: readonly string[];
  /** Installs what no Debian package contains; called before the run, while there is a network. */
  readonly prepare?: () => Promise<void>;
  /** How it is configured: one sentence for each choice, with the page of its documentation. */
  readonly configuration: readonly string[];
  readonly ways: readonly Way[];
  /** From how many locations it checks. */
  readonly locations: number;
  /** Whether all its processes read the clock through libc, so that libfaketime can set it. */
  readonly readsClockThroughLibc: boolean;
  /** It runs no check more often than that; without it, as often as it is asked to. */
  readonly minIntervalSeconds?: number;
  readonly supports: (probe: Probe) => boolean;
  /** Resolves once every target was checked, or is due within one interval. */
  readonly start: (world: MonitorWorld) => Promise<RunningMonitor>;
  /** Every alarm in one message; none where it is something else. */
  readonly read: (received: Received) => readonly Reading[];
}
