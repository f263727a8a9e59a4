import { fstatSync, readSync, statSync } from "node:fs";

/** The code of the error that says that files of the database are gone. */
export const FILES_GONE = "files_gone";

/** The first bytes of a write-ahead log (https://www.sqlite.org/fileformat.html#walformat), but for the byte order of its checksums. */
const LOG_MAGIC = 0x377f0682;

/**
 * Returns a function that throws if the database or its write-ahead log was deleted, replaced, truncated, or unmounted, because SQLite itself keeps writing to
 * a file that cannot be found again.
 */
export function watchDataFiles(path: string, log: number): () => void {
  const files = [path, `${path}-wal`].map((name) => ({ name, opened: statSync(name) }));
  const magic = Buffer.alloc(4);
  let size = statSync(path).size;
  return () => {
    for (const { name, opened } of files) {
      const now = statSync(name, { throwIfNoEntry: false });
      if (now === undefined) throw gone(`${JSON.stringify(name)} was deleted`);
      if (now.ino !== opened.ino || now.dev !== opened.dev)
        throw gone(`${JSON.stringify(name)} is another file than the one that was opened`);
      if (name !== path) continue;
      if (now.size < size) throw gone(`${JSON.stringify(name)} was truncated`);
      size = now.size;
    }
    if (fstatSync(log).size === 0) return;
    readSync(log, magic, 0, magic.length, 0);
    if ((magic.readUInt32BE() & ~1) >>> 0 !== LOG_MAGIC)
      throw gone(`${JSON.stringify(`${path}-wal`)} was truncated`);
  };
}

function gone(what: string): Error {
  return Object.assign(new Error(`${what}: restore a backup, and start again`), {
    code: FILES_GONE,
  });
}
