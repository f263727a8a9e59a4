import type { Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/file-error.ts";
import { alertingFindings } from "./alerting.ts";
import type { Finding } from "./finding.ts";
import { backupFinding } from "./last-backup.ts";
import type { Config } from "../../settings/config.ts";
import {
  descriptorsFinding,
  dnsFinding,
  folderFinding,
  icmpFinding,
  roomFinding,
  syncFinding,
  versionFinding,
} from "./machine.ts";
import {
  mailFinding,
  natsFinding,
  ntpFinding,
  outsideFindings,
  postgresFinding,
  serviceFindings,
} from "./peers.ts";
import { publicUrlFinding } from "./public-url.ts";
import { remedyFor } from "./remedies.ts";
import type { NtpServer } from "./sntp.ts";

export interface Examination {
  readonly version: string;
  /** Throws if the settings are invalid. */
  readonly configured: () => Config;
  readonly baseOf: (config: Config) => string;
  /** Web and NTP servers; no outside server is contacted without them. */
  readonly reach: string | undefined;
  readonly ntp: NtpServer | undefined;
  readonly clock: Clock;
}

/** Yields the findings about an installation, the slowest last. */
export async function* examine(wanted: Examination): AsyncGenerator<Finding> {
  yield versionFinding(wanted.version);
  yield descriptorsFinding();
  let config: Config;
  try {
    config = wanted.configured();
  } catch (error) {
    const found = messageOf(error).replaceAll(/\s*\n\s*/g, " ");
    yield {
      name: "settings",
      state: "red",
      found,
      advice: "mend watchpost.env or the environment; docs/operating.md",
    };
    return;
  }
  yield { name: "settings", state: "green", found: "valid" };
  yield* storeFindings(config, wanted.clock);
  yield* await serviceFindings(wanted.baseOf(config), config.WATCHPOST_METRICS_TOKEN);
  if (config.WATCHPOST_URL !== undefined) yield await publicUrlFinding(config.WATCHPOST_URL);
  yield await icmpFinding(wanted.clock);
  yield await dnsFinding();
  yield await mailFinding(config.WATCHPOST_SMTP_URL);
  for (const server of config.WATCHPOST_NATS_URL?.servers ?? []) yield await natsFinding(server);
  yield* outside(wanted);
}

async function* outside({ reach, ntp, clock }: Examination): AsyncGenerator<Finding> {
  if (reach !== undefined) yield* await outsideFindings(reach, () => clock.now());
  if (ntp !== undefined) yield await ntpFinding(ntp, () => clock.now());
  if (reach !== undefined || ntp !== undefined) return;
  yield {
    name: "way out and clock",
    state: "amber",
    found: "not looked at: nobody outside is asked without being named",
    advice: "doctor --reach https://example.com --ntp",
  };
}

async function* storeFindings(config: Config, clock: Clock): AsyncGenerator<Finding> {
  const { WATCHPOST_DATABASE_URL: url, WATCHPOST_DATA: folder } = config;
  if (url !== undefined) {
    const database = await postgresFinding(url, clock);
    yield database;
    yield await tried("last backup", () => backupFinding(config, clock));
    if (database.state !== "red") yield* await alertingFindings(config, clock);
    return;
  }
  const finding = await folderFinding(folder, config.WATCHPOST_INSTANCE_KEY !== undefined);
  yield finding;
  if (finding.state === "red" || finding.advice?.startsWith("the first start") === true) return;
  yield await tried("disk room", () => roomFinding(folder));
  yield await tried("disk speed", () => syncFinding(folder, clock));
  yield await tried("last backup", () => backupFinding(config, clock));
  yield* await alertingFindings(config, clock);
}

/** A failed examination is also a finding. */
async function tried(name: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const advice = remedyFor(error, "run this as the user of the service");
    return { name, state: "red", found: fileTrouble(error), advice };
  }
}
