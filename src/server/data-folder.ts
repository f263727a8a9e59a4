import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { codeOf, Conflict, messageOf, Unavailable } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";

/** Names of this program's files. A restored backup may have any mode. */
const OWN_FILE =
  /^(?:watchpost\.db(?:-wal|-shm|-journal)?|instance\.key|lock(?:-journal)?|reserve(?:\.unfinished)?|control|last-backup|lost\+found)$/;
/** Names of folders kept by upgrades, restores, and backups, with mode 0700. */
const OWN_FOLDER = /^(?:before-\d{4}-[a-z0-9-]+|replaced-[\dT-]+|backup-staging)(?:\.unfinished)?$/;
const OTHERS_WRITE = 0o022;
const OTHERS_ANYTHING = 0o077;
/** User who can change every file anyway. */
const SUPERUSER = 0;

/**
 * Makes the data folder and its files private to this user and logs the changes, because anyone who can write there can replace the key and the database.
 * Throws Conflict if the folder or a file belongs to another user, or if others can write to it and it contains other files.
 */
export function secureDataFolder(directory: string, log: Pick<Log, "warn">): void {
  const folder = statSync(directory, { throwIfNoEntry: false });
  if (folder === undefined) return;
  try {
    const user = process.geteuid?.();
    if (user !== undefined && folder.uid !== user)
      throw new Conflict(
        `the data folder ${JSON.stringify(directory)} belongs to the user ${folder.uid}, who could replace the key and the database: give it to the user of this process (chown ${user}), or set WATCHPOST_DATA to a folder in it, which will be made`,
      );
    const names = readdirSync(directory);
    // guard: the data folder
    if ((folder.mode & OTHERS_WRITE) !== 0) {
      const foreign = names.find((name) => !OWN_FILE.test(name) && !OWN_FOLDER.test(name));
      if (foreign !== undefined)
        throw new Conflict(
          `other users can write to the data folder ${JSON.stringify(directory)} (mode ${octal(folder.mode)}), and it contains ${JSON.stringify(foreign)}, so its mode is left as it is: chmod 700 it, or set WATCHPOST_DATA to a folder in it, which will be made`,
        );
      mend(directory, { from: folder.mode, to: 0o700 }, log);
    }
    for (const path of names
      .filter((name) => OWN_FILE.test(name))
      .map((name) => join(directory, name))) {
      const file = lstatSync(path);
      if (
        user !== undefined &&
        /* guard: files of other users = false */ file.uid !== user &&
        file.uid !== SUPERUSER
      )
        throw new Conflict(
          `${JSON.stringify(path)} belongs to the user ${file.uid}, who could have put it there or change it: remove it, or give it to the user of this process (chown -h ${user})`,
        );
      // The mode of a link says nothing, and that of what it leads to is not ours to change.
      // guard: links in the data folder = right
      if (
        !file.isSymbolicLink() &&
        /* guard: files of the data folder = false */ (file.mode & OTHERS_ANYTHING) !== 0
      )
        mend(path, { from: file.mode, to: 0o600 }, log);
    }
  } catch (error) {
    if (codeOf(error) === "conflict") throw error;
    throw new Unavailable(
      `the data folder ${JSON.stringify(directory)} cannot be made private: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function mend(
  path: string,
  { from, to }: { readonly from: number; readonly to: number },
  log: Pick<Log, "warn">,
): void {
  chmodSync(path, to);
  log.warn("app.permissions_corrected", { path, from: octal(from), to: octal(to) }, path);
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
