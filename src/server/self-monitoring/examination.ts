import type { Bus } from "../../bus/bus.ts";
import { durationText } from "../../channels/format/times.ts";
import { BACKUP_LATE_MS, type BackupStatus } from "../backup/schedule/backup-schedule.ts";
import type { ServiceProblem, ServiceProblemName } from "../../domain/service-problem.ts";
import { SHARDS } from "../../domain/shard.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import { distanceTrouble } from "../../store/round-trip.ts";
import type { Store } from "../../store/store.ts";
import type { LocationState } from "../../domain/location.ts";
import { channelOfBacklog, type AlertBacklog } from "../../store/tables/alerts.ts";
import type { DeadMansSwitch } from "./dead-mans-switch.ts";
import type { MailServerWatch } from "./mail-server-watch.ts";
import type { RecentCounts } from "./recent-counts.ts";

/** Parts of the service that an examination inspects. */
export interface ExaminedParts {
  readonly store: Pick<
    Store,
    "alerts" | "readError" | "writeError" | "shortage" | "partitionsAhead" | "roundTripMs"
  >;
  readonly bus: Pick<Bus, "presence"> & { readonly isConnected: (() => boolean) | undefined };
  /** Shards whose checks no process runs. */
  readonly uncontrolledShards: () => readonly number[];
  /** Whether this process decides which checks run, and knows what they came to. */
  readonly isController: boolean;
  /** Locations that cannot judge their targets, as far as this process knows. */
  readonly locations: () => readonly LocationState[];
  readonly interruptions: Pick<Interruptions, "lostSince">;
  readonly recentCounts: Pick<RecentCounts, "sumsBy">;
  readonly mailServer: Pick<MailServerWatch, "failure"> | undefined;
  readonly deadMansSwitch: Pick<DeadMansSwitch, "failure" | "clockAheadMs"> | undefined;
  /** Ms by which the clock was set within the last minutes; 0 if it was not. */
  readonly recentClockStepMs: () => number;
  /** Time of the latest backup, in ms since the epoch; undefined if unknown. */
  readonly lastBackupAt: () => number | undefined;
  /** Whether this installation stores backups on a schedule. */
  readonly areBackupsScheduled: boolean;
  /** Status of scheduled backups; undefined in a process that does not make them. */
  readonly backups: () => BackupStatus | undefined;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

/** Overdue alerts, with the time of the oldest: of those by the operator's own providers, and of those to receivers of accounts. */
const OVERDUE_MS = { own: 60_000, receivers: 300_000 };
/** The longest pause between two attempts at a destination is a minute. */
const UNCLAIMED_MS = 90_000;
/** Kinds of address whose receivers belong to accounts; all others go through a provider of the operator. */
const receiverKinds = new Set(["webhook", "slack", "pagerduty"]);
const WINDOW_MS = 120_000;
const MAX_STALLED_MS = 20_000;
const MIN_UNDECIDED = 3;
const MIN_MISSED = 10;
const MIN_PARTITIONS = 3;
const CLOCK_OFF_MS = 10_000;
const BACKUP_MAX_DAYS = 8;
const MIN_BACKUP_FAILURES = 2;
const DAY_MS = 86_400_000;

/** Finds what is wrong with the service now; throws nothing. */
export function createExamination(parts: ExaminedParts): () => Promise<readonly ServiceProblem[]> {
  return async () => [
    ...databaseProblems(parts),
    ...backupProblems(parts),
    ...controllerProblems(parts),
    ...locationProblems(parts),
    ...networkProblems(parts),
    ...runProblems(parts),
    ...processProblems(parts),
    ...(await deliveryProblems(parts)),
    ...outsideProblems(parts),
  ];
}

function problem(name: ServiceProblemName, found: string, subject = ""): ServiceProblem {
  return { name, subject, found };
}

function databaseProblems({ store }: ExaminedParts): ServiceProblem[] {
  const error = store.readError?.() ?? store.writeError();
  const ahead = store.partitionsAhead?.();
  const shortage = store.shortage?.();
  const distance = distanceTrouble(store.roundTripMs?.());
  return [
    ...(error === undefined ? [] : [problem("database", error)]),
    ...(shortage === undefined ? [] : [problem("disk", shortage)]),
    ...(ahead === undefined || ahead >= MIN_PARTITIONS
      ? []
      : [problem("partitions", `PostgreSQL has partitions for ${days(ahead)} to come, not for 7`)]),
    ...(distance === undefined ? [] : [problem("database_distance", distance)]),
  ];
}

function backupProblems(parts: ExaminedParts): ServiceProblem[] {
  const found = parts.areBackupsScheduled ? scheduledBackupTrouble(parts) : oldBackup(parts);
  return found === undefined ? [] : [problem("backup", found)];
}

function oldBackup({ lastBackupAt, clock }: ExaminedParts): string | undefined {
  const at = lastBackupAt();
  const age = at === undefined ? 0 : Math.floor((clock.now() - at) / DAY_MS);
  return age > BACKUP_MAX_DAYS ? `the last backup is ${days(age)} old` : undefined;
}

function scheduledBackupTrouble({ backups, clock }: ExaminedParts): string | undefined {
  const status = backups();
  if (status === undefined) return undefined;
  const { failures, failure, dueAt, last } = status;
  const lateMs = clock.now() - (dueAt ?? Infinity);
  const since =
    last === undefined
      ? "there is none yet"
      : `the last one is of ${new Date(last.at).toISOString()}`;
  if (failures >= MIN_BACKUP_FAILURES)
    return `the last ${failures} attempts to store one failed (${since}): ${failure}`;
  return lateMs > BACKUP_LATE_MS
    ? `the one that was due ${seconds(lateMs)} ago is not stored yet (${since})`
    : undefined;
}

function controllerProblems({ uncontrolledShards }: ExaminedParts): ServiceProblem[] {
  const count = uncontrolledShards().length;
  if (count === 0) return [];
  const part =
    count === SHARDS
      ? "no check runs"
      : `about ${percentOf(count / SHARDS)} of the checks do not run`;
  return [problem("checks_uncontrolled", `${part}, because no controller is live for them`)];
}

function locationProblems({ bus, isController }: ExaminedParts): ServiceProblem[] {
  if (!isController) return [];
  if (bus.isConnected?.() === false)
    return [
      problem("nats", "there is no connection to the NATS server: locations cannot be asked"),
    ];
  if (bus.presence.live().length === 0)
    return [problem("no_location", "no location is live, so no check can be run")];
  const troubles = bus.presence.troubles();
  const gone = bus.presence
    .gone()
    .map(({ code, seenMsAgo }) =>
      problem(
        "location",
        `it was last seen ${durationText(seenMsAgo)} ago, and runs no checks`,
        code,
      ),
    );
  return troubles.length === 0
    ? gone
    : [...gone, problem("locations_cut_off", troubles.join("; "))];
}

function networkProblems({ locations }: ExaminedParts): ServiceProblem[] {
  return locations().flatMap(({ location, isOnline, resolverAnswers }) => [
    ...(isOnline ? [] : [problem("offline", "it reaches none of its targets", location)]),
    ...(resolverAnswers === false
      ? [problem("resolver", "it does not answer, so no name can be looked up", location)]
      : []),
  ]);
}

function runProblems({ recentCounts }: ExaminedParts): ServiceProblem[] {
  // A target that lets a run and its rechecks time out may take longer than its interval.
  const missed = new Map(
    [...recentCounts.sumsBy("scheduler.tick_missed", "reason")].filter(
      ([reason]) => reason !== "still_running",
    ),
  );
  const total = [...missed.values()].reduce((sum, count) => sum + count, 0);
  const undecided = recentCounts.sumsBy("confirm.run_undecided", "location");
  return [
    ...(total < MIN_MISSED
      ? []
      : [
          problem(
            "runs_missed",
            `${total} runs were missed in two minutes (${[...missed.keys()].join(", ")})`,
          ),
        ]),
    ...[...undecided]
      .filter(([, count]) => count >= MIN_UNDECIDED)
      .map(([location, count]) =>
        problem(
          "runs_undecided",
          `${count} runs in two minutes had no outcome, for a reason of the service`,
          location === "" ? "no location" : location,
        ),
      ),
  ];
}

function processProblems({
  interruptions,
  clock,
  deadMansSwitch,
  recentClockStepMs,
}: ExaminedParts): ServiceProblem[] {
  const lostMs = interruptions.lostSince(clock.monotonic() - WINDOW_MS);
  const stepMs = recentClockStepMs();
  const aheadMs = deadMansSwitch?.clockAheadMs() ?? 0;
  const off =
    Math.abs(aheadMs) >= CLOCK_OFF_MS
      ? `it is ${seconds(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"} that of the dead man's switch`
      : undefined;
  const stepped =
    Math.abs(stepMs) >= CLOCK_OFF_MS
      ? `it was set ${stepMs > 0 ? "forward" : "back"} by ${seconds(Math.abs(stepMs))}`
      : undefined;
  const clockFault = off ?? stepped;
  return [
    ...(lostMs < MAX_STALLED_MS
      ? []
      : [
          problem(
            "stalled",
            `it could not receive or act for ${seconds(lostMs)} of the last two minutes`,
          ),
        ]),
    ...(clockFault === undefined ? [] : [problem("clock", clockFault)]),
  ];
}

async function deliveryProblems({ store, mailServer }: ExaminedParts): Promise<ServiceProblem[]> {
  const failure = mailServer?.failure();
  const ofServer = failure === undefined ? [] : [problem("mail_server", failure)];
  let backlog: readonly AlertBacklog[];
  try {
    backlog = await store.alerts.listBacklog(OVERDUE_MS.own);
  } catch {
    // The database is then a problem itself.
    return ofServer;
  }
  const unclaimed = backlog.filter(
    ({ isAttempted, oldestMs }) => !isAttempted && oldestMs >= UNCLAIMED_MS,
  );
  return [
    ...ofServer,
    ...(unclaimed.length === 0 ? [] : [problem("alerts_unclaimed", overdue(unclaimed))]),
    ...[...Map.groupBy(backlog, channelOfBacklog)]
      .filter(([, all]) => all.some(({ isAttempted }) => isAttempted))
      .flatMap(([kind, all]) => {
        const isReceiver = receiverKinds.has(kind);
        const isLate = all.some(({ oldestMs }) => oldestMs >= OVERDUE_MS.receivers);
        if (isReceiver && !isLate) return [];
        return [problem(isReceiver ? "receivers" : "alerts_delayed", overdue(all), kind)];
      }),
  ];
}

function overdue(backlog: readonly AlertBacklog[]): string {
  const alerts = backlog.reduce((sum, each) => sum + each.alerts, 0);
  const oldestMs = backlog.reduce((most, each) => Math.max(most, each.oldestMs), 0);
  return `${alerts === 1 ? "1 alert is" : `${alerts} alerts are`} overdue, the oldest by ${seconds(oldestMs)}`;
}

function outsideProblems({ deadMansSwitch }: ExaminedParts): ServiceProblem[] {
  const failure = deadMansSwitch?.failure();
  return failure === undefined ? [] : [problem("dead_mans_switch", failure)];
}

function seconds(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** A whole percentage, at least 1%. */
function percentOf(part: number): string {
  return `${Math.max(1, Math.round(part * 100))}%`;
}

function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}
