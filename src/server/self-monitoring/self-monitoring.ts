import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { verifyMailServer } from "../../channels/verify-mail-server.ts";
import { serviceProblems, type OpenServiceProblem } from "../../domain/service-problem.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { BackupStatus } from "../backup/schedule/backup-schedule.ts";
import type { Config } from "../../settings/config.ts";
import type { LocationState } from "../../domain/location.ts";
import type { RoleDeps } from "../roles/role.ts";
import { readLastBackup } from "./last-backup.ts";
import { createDeadMansSwitch } from "./dead-mans-switch.ts";
import { createExamination } from "./examination.ts";
import { createInstallationWatch } from "./installation-watch.ts";
import { createMailServerWatch, type MailServerWatch } from "./mail-server-watch.ts";
import { createOperatorAlerts } from "./operator-alerts.ts";
import { operatorChannelsOf } from "./operator-channels.ts";
import { createProblemWatch } from "./problem-watch.ts";
import type { RecentCounts } from "./recent-counts.ts";

interface Deps extends Pick<
  RoleDeps,
  "config" | "store" | "bus" | "shards" | "delivery" | "interruptions" | "ids" | "log" | "meter"
> {
  readonly clock: Clock;
  readonly recentCounts: Pick<RecentCounts, "sumsBy">;
  readonly operatorEgress: Egress;
  readonly locations: () => readonly LocationState[];
  readonly backups: () => BackupStatus | undefined;
}

/** Watches the service itself: what is wrong with it is counted, shown, told to the operator, and withheld from the dead man's switch. */
export interface SelfMonitoring {
  /** The open problems of all processes of the installation. */
  readonly problems: () => readonly OpenServiceProblem[];
  /** Problems of this process only. */
  readonly ownProblems: () => readonly OpenServiceProblem[];
  /** Undefined if no mail server is configured, another process sends the alerts, or it was not tried yet. */
  readonly mailServerWorks: () => boolean | undefined;
  /** Records that the clock was set by `byMs`. */
  readonly clockStepped: (byMs: number) => void;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** How long a step of the clock is shown. */
const STEP_SHOWN_MS = 300_000;
/** Shard whose controller alerts the operator of problems that every process sees; another process does while it has none. */
const SPEAKER_SHARD = 0;

export function createSelfMonitoring(deps: Deps): SelfMonitoring {
  const { config, clock, shards, recentCounts } = deps;
  const mailServer = mailServerWatchOf(config, clock);
  let step = { at: -Infinity, byMs: 0 };
  const installation = createInstallationWatch({
    reports: deps.store.processReports,
    id: randomUUID(),
    host: hostname(),
    ownProblems: () => watch.open(),
    log: deps.log,
  });
  const deadMansSwitchUrl = config.WATCHPOST_DEAD_MANS_SWITCH_URL;
  const deadMansSwitch =
    deadMansSwitchUrl &&
    createDeadMansSwitch({
      url: deadMansSwitchUrl,
      blockedBy: () =>
        installation.problems().find(({ name }) => serviceProblems[name].critical)?.found,
      clock,
    });
  const examine = createExamination({
    ...deps,
    recentCounts,
    uncontrolledShards: installation.uncontrolledShards,
    isController: config.WATCHPOST_ROLES.includes("controller"),
    mailServer,
    deadMansSwitch,
    recentClockStepMs: () => (clock.monotonic() - step.at < STEP_SHOWN_MS ? step.byMs : 0),
    areBackupsScheduled:
      config.WATCHPOST_BACKUP_TO !== undefined && config.WATCHPOST_BACKUP_SCHEDULE !== undefined,
    lastBackupAt: () => readLastBackup(config.WATCHPOST_DATA),
  });
  const operator = createOperatorAlerts({
    ...deps,
    ways: operatorChannelsOf({
      ...deps,
      email: config.WATCHPOST_OPERATOR_EMAIL,
      webhook: config.WATCHPOST_OPERATOR_WEBHOOK,
      egress: deps.operatorEgress,
    }),
    host: hostname(),
    url: deps.delivery.url,
    timeZone: config.WATCHPOST_TIMEZONE,
  });
  const speaks = ({ name }: OpenServiceProblem): boolean =>
    !serviceProblems[name].shared ||
    shards.owns(SPEAKER_SHARD) ||
    (installation.uncontrolledShards().includes(SPEAKER_SHARD) && installation.isFirst());
  const watch = createProblemWatch({
    ...deps,
    async examine() {
      await installation.look();
      return examine();
    },
    opened: (problem) => speaks(problem) && operator.opened(problem),
    ended: operator.ended,
  });
  return {
    problems: installation.problems,
    ownProblems: watch.open,
    mailServerWorks: () => mailServer?.works(),
    clockStepped: (byMs) => void (step = { at: clock.monotonic(), byMs }),
    async run(signal) {
      const parts = [watch, operator, mailServer, deadMansSwitch].filter(
        (part) => part !== undefined,
      );
      await Promise.all(parts.map((part) => part.run(signal)));
    },
  };
}

function mailServerWatchOf(config: Config, clock: Clock): MailServerWatch | undefined {
  const url = config.WATCHPOST_SMTP_URL;
  if (url === undefined || !config.WATCHPOST_ROLES.includes("notifier")) return undefined;
  return createMailServerWatch({ verify: () => verifyMailServer(url), clock });
}
