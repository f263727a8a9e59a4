import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { byteSize } from "../../kit/byte-size.ts";
import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";
import { fileTrouble, isFailedWrite } from "../../kit/file-error.ts";
import type { Progress } from "../../store/backup/snapshot.ts";

interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a file to its end; writes it to another as well where one is named. */
export async function digestFile(
  path: string,
  progress: (share: number) => void,
  copy?: string,
): Promise<Digest> {
  const { size } = statSync(path);
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      try {
        progress(bytes / size);
        done(null, copy === undefined ? undefined : chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  const source = createReadStream(path, { highWaterMark: 1024 * 1024 });
  if (copy === undefined) await pipeline(source, counted.resume());
  else await pipeline(source, counted, createWriteStream(copy, { mode: 0o600, flags: "wx" }));
  return { bytes, sha256: hash.digest("hex") };
}

/** Makes the files of a folder their owner's alone, and resolves once they and their names are on disk. */
export function settleFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    chmodSync(join(folder, name), 0o600);
    syncPath(join(folder, name));
  }
  syncPath(folder);
}

export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Throws Unavailable where the disk of a folder has less room than that. */
export function assertRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes)
    throw new Unavailable(
      `the disk is too full: up to ${byteSize(bytes)} are needed in ${JSON.stringify(folder)}, and ${byteSize(bavail * bsize)} are free`,
    );
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** SQLite errors for a file that is damaged or not a database. */
const DAMAGED = /malformed|not a database|disk I\/O error/;

/** An error of the file system or of SQLite as a sentence; others stay as they are. */
export function explained(error: unknown, what: string): unknown {
  if (
    codeOf(error) === "ERR_SQLITE_ERROR" &&
    DAMAGED.test(messageOf(error)) &&
    !isFailedWrite(error)
  )
    return new Unavailable(`the database is damaged (${messageOf(error)}): see docs/worst-day.md`, {
      cause: error,
    });
  const said = fileTrouble(error);
  const isKnown = error instanceof Error && said !== error.message;
  return isKnown ? new Unavailable(`${what}: ${said}`, { cause: error }) : error;
}

/** Ends a long operation if the process was asked to stop, otherwise reports its progress. */
export function interruptible(report: Progress, interrupted: AbortSignal): Progress {
  return (what, share) => {
    if (interrupted.aborted) throw new Unavailable("interrupted");
    report(what, share);
  };
}
