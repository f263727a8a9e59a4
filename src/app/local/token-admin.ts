import { existsSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "../../kit/clock.ts";
import { NotFound } from "../../kit/errors.ts";
import { createIds } from "../../kit/ids.ts";
import { silentLog } from "../../kit/log.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { createTokenAdmin } from "../../store/units/token-admin.ts";
import type { TokenAdmin } from "../../store/units/token-admin.ts";
import type { Config } from "../config.ts";
import { loadInstanceKey } from "../instance-key.ts";
import { isNotRunning, remoteTokenAdmin } from "../control/remote-token-admin.ts";
import { openOnly } from "../open-store.ts";
import type { StoreSettings } from "../open-store.ts";

type Settings = StoreSettings & Pick<Config, "WATCHPOST_INSTANCE_KEY" | "WATCHPOST_COMPATIBILITY">;

/**
 * Administers the tokens of a data folder: through the service that runs on it, or on the store itself where none does. A database on
 * a server is used directly, whoever else does.
 */
export function localTokenAdmin(settings: Settings): TokenAdmin {
  const run = async <Value>(act: (admin: TokenAdmin) => Promise<Value>): Promise<Value> => {
    if (settings.WATCHPOST_DATABASE_URL !== undefined) return withOpenedStore(settings, act);
    assertExists(join(settings.WATCHPOST_DATA, "watchpost.db"));
    try {
      return await act(remoteTokenAdmin(settings.WATCHPOST_DATA));
    } catch (error) {
      if (!isNotRunning(error)) throw error;
      return withOpenedStore(settings, act);
    }
  };
  return {
    create: (wish) => run((admin) => admin.create(wish)),
    list: () => run((admin) => admin.list()),
    revoke: (wish) => run((admin) => admin.revoke(wish)),
  };
}

async function withOpenedStore<Value>(
  settings: Settings,
  act: (admin: TokenAdmin) => Promise<Value>,
): Promise<Value> {
  const { WATCHPOST_DATA: directory, WATCHPOST_INSTANCE_KEY: key } = settings;
  // A new key would not open the existing database, so none is made here.
  if (key === undefined) assertExists(join(directory, "instance.key"));
  const sealer = createSealer(loadInstanceKey(settings));
  const clock = systemClock;
  const store = await openOnly(settings, { clock, sealer, log: silentLog });
  try {
    const compatibility = settings.WATCHPOST_COMPATIBILITY;
    return await act(createTokenAdmin({ store, ids: createIds(), clock, compatibility }));
  } finally {
    await store.close();
  }
}

function assertExists(path: string): void {
  if (!existsSync(path))
    throw new NotFound(
      `there is no ${path}: set WATCHPOST_DATA to the data folder of an installation that was started before`,
    );
}
