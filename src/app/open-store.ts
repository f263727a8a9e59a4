import type { Clock } from "../kit/clock.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { Interruptions } from "../kit/interruptions.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { allShards } from "../store/shards.ts";
import type { Shards } from "../store/shards.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly meter?: Meter;
  readonly interruptions?: Pick<Interruptions, "begin">;
  /** Whether this process reaches the locations. */
  readonly busOk?: () => boolean;
}

export type StoreSettings = Pick<Config, "WATCHPOST_DATA" | "WATCHPOST_DATABASE_URL"> &
  Partial<Pick<Config, "WATCHPOST_HISTORY_DAYS" | "WATCHPOST_ACCOUNT_LIMITS">>;

/** A store, and which of its checks this process controls. */
export interface OpenedStore {
  readonly store: Store;
  /** What the controller of checks writes about them. */
  readonly controllerStore: Store;
  readonly shards: Shards;
  /** Lets others control the checks from now on. */
  readonly giveShards: () => Promise<void>;
}

/** Of the API 8, of a controller 5, of a notifier 4: with more, each unit takes longer and no more of them are done. */
const CONNECTIONS = 17;
const CONNECTIONS_OF_COMMANDS = 2;

/** Opens the embedded database, or the one on PostgreSQL where the settings name one, and begins to control its checks. */
export async function openStore(config: StoreSettings, deps: StoreDeps): Promise<OpenedStore> {
  const { WATCHPOST_DATABASE_URL: url } = config;
  if (url === undefined) {
    const store = await openOnly(config, deps);
    const giveShards = (): Promise<void> => Promise.resolve();
    return { store, controllerStore: store, shards: allShards, giveShards };
  }
  const { openDatabase, openLease } = await postgres();
  const connections = CONNECTIONS;
  const store = await openDatabase({ ...optionsOf(config, deps), url, connections });
  const lease = openLease({ ...deps, url });
  const controllerStore = { ...store, ...store.heldBy(lease.hold) };
  return { store, controllerStore, shards: lease, giveShards: lease.close };
}

/** Opens it and controls nothing. */
export async function openOnly(config: StoreSettings, deps: StoreDeps): Promise<Store> {
  const { WATCHPOST_DATA: directory, WATCHPOST_DATABASE_URL: url } = config;
  const options = optionsOf(config, deps);
  if (url === undefined) return openSqliteStore({ ...options, directory });
  const { openDatabase } = await postgres();
  return openDatabase({ ...options, url, connections: CONNECTIONS_OF_COMMANDS });
}

/** The client of PostgreSQL costs memory that the embedded database does not need. */
const postgres = () => import("../store/postgres/open-database.ts");

function optionsOf(
  { WATCHPOST_HISTORY_DAYS: historyDays, WATCHPOST_ACCOUNT_LIMITS: limits }: StoreSettings,
  deps: StoreDeps,
) {
  return {
    ...deps,
    ...(historyDays !== undefined && { historyDays }),
    ...(limits !== undefined && { limits }),
  };
}
