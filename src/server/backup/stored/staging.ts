import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { codeOf, Conflict } from "../../../kit/errors.ts";
import { lockFolder } from "../../../store/sqlite/open-database.ts";
import { removeFolder } from "../backup-files.ts";

/** A private folder for what must not be seen elsewhere unencrypted; it is gone afterwards. */
export interface Staging extends Disposable {
  readonly folder: string;
}

/** The name of the folder in the data folder. */
export const STAGING_FOLDER = "backup-staging";

/**
 * One staging folder for a data folder, which one process at a time has, and what one that was killed left there is removed. Where the
 * database is on a server there may be no data folder: then it is a temporary one.
 */
export function claimStaging(dataFolder: string): Staging {
  if (!existsSync(dataFolder)) return temporary();
  const folder = join(dataFolder, STAGING_FOLDER);
  let lock: ReturnType<typeof lockFolder>;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    throw new Conflict("another backup of this installation is being made or read: wait for it", {
      cause: error,
    });
  }
  for (const name of readdirSync(folder))
    if (!name.startsWith("lock")) rmSync(join(folder, name), { recursive: true });
  return {
    folder,
    [Symbol.dispose]() {
      removeFolder(folder);
      lock.close();
    },
  };
}

function temporary(): Staging {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-backup-"));
  return { folder, [Symbol.dispose]: () => removeFolder(folder) };
}
