import { systemClock, type Clock } from "../kit/clock.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { Interruptions } from "../kit/interruptions.ts";
import type { Log } from "../kit/log.ts";
import type { OwnListener } from "../kit/net/own-listener.ts";
import type { Meter } from "../kit/meter.ts";
import { SUMMARIES_KEPT_DAYS } from "../store/retention.ts";
import { allShards, noShards, type Shards } from "../store/shards.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import type { DatabaseClock } from "../store/postgres/database-clock.ts";
import { backUpBeforeUpgrade } from "./backup/upgrade-backup.ts";
import type { Config } from "../settings/config.ts";
import { lostBefore, ownReception, type HeartbeatReception } from "../store/heartbeat-reception.ts";
import type { RoleName } from "../settings/role-settings.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly meter?: Meter;
  readonly interruptions?: Pick<Interruptions, "begin" | "lost">;
  /** Whether this process reaches the locations. */
  readonly busOk?: () => boolean;
  /** Measured to a database that is not in this process. */
  readonly roundTripMs?: () => number | undefined;
  /** Called after a transaction of this process changed something that other processes may cache or run. */
  readonly changed?: () => void;
}

export type StoreSettings = Pick<
  Config,
  "WATCHPOST_DATA" | "WATCHPOST_DATABASE_URL" | "WATCHPOST_INSTANCE_KEY"
> &
  Partial<
    Pick<
      Config,
      | "WATCHPOST_UPGRADE_BACKUP"
      | "WATCHPOST_DISK_RESERVE_MB"
      | "WATCHPOST_HISTORY_DAYS"
      | "WATCHPOST_HOURLY_SUMMARY_DAYS"
      | "WATCHPOST_DAILY_SUMMARY_DAYS"
      | "WATCHPOST_ACCOUNT_LIMITS"
    >
  >;

/** A store, and which of its checks this process controls. */
export interface OpenedStore {
  readonly store: Store;
  /** Store with the writes of the controller of checks. */
  readonly controllerStore: Store;
  readonly shards: Shards;
  /** Returns the reason why a controller in this process controls nothing; undefined while it does. */
  readonly leaseTrouble: () => string | undefined;
  /** Whether all receivers could receive heartbeats. */
  readonly reception: HeartbeatReception;
  /** Lets others control the checks and receive the heartbeats from now on. */
  readonly leave: () => Promise<void>;
  /** Looks now for what other processes changed. */
  readonly readChanges: () => void;
}

/** More connections make each transaction slower without increasing throughput. */
const CONNECTIONS: Readonly<Record<RoleName, number>> = {
  api: 8,
  controller: 5,
  notifier: 4,
  probe: 0,
};
const CONNECTIONS_OF_COMMANDS = 2;

/** Parts of a store whose checks no other process controls. */
const alone = {
  leaseTrouble: () => undefined,
  leave: () => Promise.resolve(),
  readChanges() {},
};

/** Opens the embedded database, or the one on PostgreSQL where the settings name one, and begins to control its checks where that is a role of this process. */
export async function openStore(
  config: StoreSettings & Pick<Config, "WATCHPOST_ROLES">,
  deps: StoreDeps & {
    readonly interruptions: Interruptions;
    readonly listener: Pick<OwnListener, "place" | "othersListenAt">;
  },
): Promise<OpenedStore> {
  const { WATCHPOST_DATABASE_URL: url, WATCHPOST_ROLES: roles } = config;
  if (url === undefined) {
    const megabytes = config.WATCHPOST_DISK_RESERVE_MB ?? 0;
    const store = await openOnly(config, deps, megabytes * 1024 * 1024);
    const reception = ownReception(
      deps.interruptions,
      lostBefore(deps.clock, store.receptionBefore?.()),
    );
    return { ...alone, store, controllerStore: store, shards: allShards, reception };
  }
  const { openDatabase, openLease, openReception } = await postgres();
  const connections = roles.reduce((sum, role) => sum + CONNECTIONS[role], 0);
  const store = await openDatabase({ ...optionsOf(config, deps), url, connections });
  const readChanges = (): void => void store.readChanges();
  const reception = openReception({ ...deps, url, hears: roles.includes("api") });
  const opened = { store, reception, readChanges, leave: reception.close };
  if (!roles.includes("controller"))
    return { ...alone, ...opened, controllerStore: store, shards: noShards };
  const lease = openLease({ ...deps, url });
  return {
    ...opened,
    controllerStore: { ...store, ...store.heldBy(lease.hold) },
    shards: lease,
    leaseTrouble: lease.trouble,
    async leave() {
      await Promise.all([reception.close(), lease.close()]);
    },
  };
}

/** Opens it and controls nothing. */
export async function openOnly(
  config: StoreSettings,
  deps: StoreDeps,
  reserveBytes?: number,
): Promise<Store> {
  const { WATCHPOST_DATA: directory, WATCHPOST_DATABASE_URL: url } = config;
  const options = optionsOf(config, deps);
  if (url === undefined) {
    await backUpBeforeUpgrade(config, deps.log);
    return openSqliteStore({
      ...options,
      directory,
      ...(reserveBytes !== undefined && { reserveBytes }),
    });
  }
  const { openDatabase } = await postgres();
  return openDatabase({ ...options, url, connections: CONNECTIONS_OF_COMMANDS });
}

/** Returns the time source of this process: the database's clock if other processes may share it, otherwise the system's. */
export async function openTime(
  { WATCHPOST_DATABASE_URL: url }: Pick<Config, "WATCHPOST_DATABASE_URL">,
  log: Log,
): Promise<Clock & Partial<Pick<DatabaseClock, "roundTripMs">> & Pick<DatabaseClock, "close">> {
  if (url === undefined) return { ...systemClock, close: () => Promise.resolve() };
  const { openDatabaseClock } = await import("../store/postgres/database-clock.ts");
  return openDatabaseClock(url, { clock: systemClock, log });
}

/** The client of PostgreSQL costs memory that the embedded database does not need. */
const postgres = () => import("../store/postgres/open-database.ts");

function optionsOf(
  {
    WATCHPOST_HISTORY_DAYS: historyDays,
    WATCHPOST_HOURLY_SUMMARY_DAYS: hourly = SUMMARIES_KEPT_DAYS.hourly,
    WATCHPOST_DAILY_SUMMARY_DAYS: daily = SUMMARIES_KEPT_DAYS.daily,
    WATCHPOST_ACCOUNT_LIMITS: limits,
  }: StoreSettings,
  deps: StoreDeps,
) {
  return {
    ...deps,
    summaryDays: { hourly, daily },
    ...(historyDays !== undefined && { historyDays }),
    ...(limits !== undefined && { limits }),
  };
}
