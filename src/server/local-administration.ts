import { existsSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "../kit/clock.ts";
import { NotFound } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import type { AccountAdmin } from "../store/transactions/account-admin.ts";
import type { TokenAdmin } from "../store/transactions/token-admin.ts";
import type { Config } from "../settings/config.ts";
import { loadInstanceKey } from "./instance-key.ts";
import { isNotRunning } from "./control/call-service.ts";
import type { Administration } from "./control/administration.ts";
import { remoteAccountAdmin } from "./control/remote-account-admin.ts";
import { remoteTokenAdmin } from "./control/remote-token-admin.ts";
import type { StoreSettings } from "./open-store.ts";

type Administered = Pick<Administration, "tokenAdmin" | "accountAdmin">;
type Settings = StoreSettings & Pick<Config, "WATCHPOST_INSTANCE_KEY" | "WATCHPOST_COMPATIBILITY">;

/** Administers the tokens of a data folder, or of a database on a server. */
export function localTokenAdmin(settings: Settings): TokenAdmin {
  const run = administer(settings, ({ tokenAdmin }) => tokenAdmin);
  return {
    create: (wish) => run((admin) => admin.create(wish)),
    list: () => run((admin) => admin.list()),
    revoke: (wish) => run((admin) => admin.revoke(wish)),
  };
}

/** Administers the primary accounts of a data folder, or of a database on a server. */
export function localAccountAdmin(settings: Settings): AccountAdmin {
  const run = administer(settings, ({ accountAdmin }) => accountAdmin);
  return {
    create: (wish) => run((admin) => admin.create(wish)),
    createSignInLink: (wish) => run((admin) => admin.createSignInLink(wish)),
    list: () => run((admin) => admin.list()),
  };
}

/** Uses the service that runs on the data folder, or the store itself if none runs. A database server is used directly, in parallel to others. */
function administer<Admin>(settings: Settings, of: (all: Administered) => Admin) {
  return async <Value>(act: (admin: Admin) => Promise<Value>): Promise<Value> => {
    const { WATCHPOST_DATA: directory, WATCHPOST_DATABASE_URL: url } = settings;
    const open = (): Promise<Value> => withOpenedStore(settings, (all) => act(of(all)));
    if (url !== undefined) return open();
    assertExists(join(directory, "watchpost.db"));
    try {
      const accountAdmin = remoteAccountAdmin(directory);
      return await act(of({ tokenAdmin: remoteTokenAdmin(directory), accountAdmin }));
    } catch (error) {
      if (!isNotRunning(error)) throw error;
      return open();
    }
  };
}

async function withOpenedStore<Value>(
  settings: Settings,
  act: (all: Administration) => Promise<Value>,
): Promise<Value> {
  const { WATCHPOST_DATA: directory, WATCHPOST_INSTANCE_KEY: key } = settings;
  // A new key would not decrypt the existing database, so none is created here.
  if (key === undefined) assertExists(join(directory, "instance.key"));
  const sealer = createSealer(loadInstanceKey(settings));
  const clock = systemClock;
  // A service that runs does the work, and then nothing of a store is loaded here.
  const { silentLog } = await import("../kit/log.ts");
  const { openOnly } = await import("./open-store.ts");
  const { createAdministration } = await import("./control/administration.ts");
  const store = await openOnly(settings, { clock, sealer, log: silentLog });
  try {
    const compatibility = settings.WATCHPOST_COMPATIBILITY;
    return await act(createAdministration({ store, ids: createIds(), clock, compatibility }));
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
