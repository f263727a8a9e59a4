import type { Clock } from "../kit/clock.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { Interruptions } from "../kit/interruptions.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly meter?: Meter;
  readonly interruptions?: Pick<Interruptions, "begin">;
}

export type StoreSettings = Pick<Config, "WATCHPOST_DATA" | "WATCHPOST_DATABASE_URL"> &
  Partial<Pick<Config, "WATCHPOST_HISTORY_DAYS" | "WATCHPOST_ACCOUNT_LIMITS">>;

/** Of the API 8, of a controller 5, of a notifier 4: with more, each unit takes longer and no more of them are done. */
const CONNECTIONS = 17;

/** Opens the embedded database, or the one on PostgreSQL where the settings name one. */
export async function openStore(config: StoreSettings, deps: StoreDeps): Promise<Store> {
  const { WATCHPOST_DATA: directory, WATCHPOST_DATABASE_URL: url } = config;
  const { WATCHPOST_HISTORY_DAYS: historyDays, WATCHPOST_ACCOUNT_LIMITS: limits } = config;
  const options = {
    ...deps,
    ...(historyDays !== undefined && { historyDays }),
    ...(limits !== undefined && { limits }),
  };
  if (url === undefined) return openSqliteStore({ ...options, directory });
  // The client of PostgreSQL costs memory that the embedded database does not need.
  const { openDatabase } = await import("../store/postgres/open-database.ts");
  return openDatabase({ ...options, url, connections: CONNECTIONS });
}
