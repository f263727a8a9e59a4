import { existsSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "../kit/clock.ts";
import { NotFound } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { createTokenAdmin } from "../store/units/token-admin.ts";
import type { TokenAdmin } from "../store/units/token-admin.ts";
import type { Config } from "./config.ts";
import { isNotRunning, remoteTokenAdmin } from "./control-socket.ts";
import { loadInstanceKey } from "./instance-key.ts";

type Settings = Pick<Config, "WATCHPOST_DATA" | "WATCHPOST_INSTANCE_KEY">;

/** The desk of a data folder: that of the process which runs on it, or one that is opened for as long as a call takes. */
export function localTokenAdmin(settings: Settings): TokenAdmin {
  const at = async <Value>(act: (desk: TokenAdmin) => Promise<Value>): Promise<Value> => {
    assertThere(join(settings.WATCHPOST_DATA, "watchpost.db"));
    try {
      return await act(remoteTokenAdmin(settings.WATCHPOST_DATA));
    } catch (error) {
      if (!isNotRunning(error)) throw error;
      return atOpenedDesk(settings, act);
    }
  };
  return {
    create: (wish) => at((desk) => desk.create(wish)),
    list: () => at((desk) => desk.list()),
    revoke: (wish) => at((desk) => desk.revoke(wish)),
  };
}

async function atOpenedDesk<Value>(
  { WATCHPOST_DATA: directory, WATCHPOST_INSTANCE_KEY: key }: Settings,
  act: (desk: TokenAdmin) => Promise<Value>,
): Promise<Value> {
  // Unlike at a start none is made: a key that fits no database would stay behind.
  if (key === undefined) assertThere(join(directory, "instance.key"));
  const sealer = createSealer(loadInstanceKey(directory, key));
  const clock = systemClock;
  const store = await openSqliteStore({ directory, clock, sealer, log: silentLog });
  try {
    return await act(createTokenAdmin({ store, ids: createIds(), clock }));
  } finally {
    await store.close();
  }
}

function assertThere(path: string): void {
  if (!existsSync(path))
    throw new NotFound(
      `there is no ${path}: WATCHPOST_DATA has to name the data folder of an installation that was started before`,
    );
}
