import { createReadStream, createWriteStream, statSync } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";

import type { Clock } from "../../../kit/clock.ts";
import { AppError, NotFound, Unavailable } from "../../../kit/errors.ts";
import { explained, syncPath } from "../backup-files.ts";
import { parseBackupName } from "./backup-name.ts";
import { UNFINISHED_MS, type BackupDestination } from "../../../settings/backup-destination.ts";

const UNFINISHED = ".unfinished";

/** A folder of this machine, or one that is mounted. It must exist: a mount that is missing is not to be filled. */
export function folderDestination(
  named: string,
  { clock, interrupted }: { readonly clock: Pick<Clock, "now">; readonly interrupted: AbortSignal },
): BackupDestination {
  const folder = resolve(named);
  const tried = async <Value>(what: string, attempt: () => Promise<Value>): Promise<Value> => {
    try {
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
        throw new NotFound(
          `there is no folder ${JSON.stringify(folder)} for backups: make it, or mount what belongs there`,
        );
      return await attempt();
    } catch (error) {
      if (interrupted.aborted) throw new Unavailable("interrupted", { cause: error });
      throw error instanceof AppError
        ? error
        : explained(error, `the folder for backups ${JSON.stringify(folder)} cannot be ${what}`);
    }
  };
  const sizeOf = async (name: string): Promise<number> => (await stat(join(folder, name))).size;

  return {
    list: () =>
      tried("read", async () => {
        const names = (await readdir(folder)).filter((name) => parseBackupName(name) !== undefined);
        return Promise.all(names.map(async (name) => ({ name, bytes: await sizeOf(name) })));
      }),
    write: (name, content) =>
      tried("written", async () => {
        const unfinished = join(folder, `${name}${UNFINISHED}`);
        try {
          await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flush: true }), {
            signal: interrupted,
          });
          await rename(unfinished, join(folder, name));
          syncPath(folder);
          return await sizeOf(name);
        } catch (error) {
          await rm(unfinished, { force: true });
          throw error;
        }
      }),
    async *read(name) {
      const path = join(folder, name);
      if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
        throw new NotFound(`there is no backup ${JSON.stringify(path)}`);
      try {
        yield* createReadStream(path, { signal: interrupted });
      } catch (error) {
        throw explained(error, `the backup ${JSON.stringify(path)} cannot be read`);
      }
    },
    remove: (name) => tried("written", () => rm(join(folder, name), { force: true })),
    removeUnfinished: () =>
      tried("written", async () => {
        for (const name of await readdir(folder)) {
          if (!name.endsWith(UNFINISHED)) continue;
          if (parseBackupName(name.slice(0, -UNFINISHED.length)) === undefined) continue;
          const { mtimeMs } = await stat(join(folder, name));
          if (clock.now() - mtimeMs > UNFINISHED_MS) await rm(join(folder, name), { force: true });
        }
      }),
  };
}
