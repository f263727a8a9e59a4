import { randomFillSync } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

import { isFailedWrite, isOutOfSpace } from "../../../kit/file-error.ts";

/** A file of the data folder that only takes up space, so that there is some left for alarms when the disk is full. */
export const RESERVE_FILE = "reserve";
export const MEGABYTE = 1024 * 1024;

/** The reserve is given up in this many parts, because another process may take space that is free. */
const PARTS = 8;
/** The name of a reserve that is being written ends with it. */
const UNFINISHED = ".unfinished";
/** More than a file system keeps in the entry of a file. */
const PROBE_BYTES = 65_536;
/** The largest share of the free space that a new reserve takes. */
const SHARE_OF_FREE = 0.25;

/** Bytes of the reserve; 0 if there is none. */
export function reserveBytes(directory: string): number {
  return statSync(join(directory, RESERVE_FILE), { throwIfNoEntry: false })?.size ?? 0;
}

/** Bytes that a process of this user can still allocate. */
function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Brings the reserve to its size at a start, as far as there is room for it; returns the size that it should have. Without a size it stays as it is. */
export function prepareReserve(directory: string, wanted: number | undefined): number {
  const existing = reserveBytes(directory);
  if (wanted === undefined) return existing;
  if (wanted === 0 || existing > wanted) rmSync(join(directory, RESERVE_FILE), { force: true });
  const room = Math.floor((freeBytes(directory) * SHARE_OF_FREE) / MEGABYTE) * MEGABYTE;
  const possible = Math.min(wanted, Math.max(room, existing));
  return reserveBytes(directory) < possible ? makeLargestReserve(directory, possible) : possible;
}

/** Makes a reserve of that size, or a quarter of what it could not have, because free space says nothing of a disk quota; returns its size. */
function makeLargestReserve(directory: string, possible: number): number {
  const existing = reserveBytes(directory);
  let bytes = possible;
  while (bytes > existing) {
    if (tryToMakeReserve(directory, bytes)) return bytes;
    bytes = Math.floor((bytes * SHARE_OF_FREE) / MEGABYTE) * MEGABYTE;
  }
  return existing;
}

/** Makes the reserve again once twice its size is free, so that it is not made and given up in turns; tells whether it is there. */
export function restoreReserve(directory: string, bytes: number): boolean {
  if (reserveBytes(directory) >= bytes) return true;
  if (freeBytes(directory) < 2 * bytes) return false;
  return tryToMakeReserve(directory, bytes);
}

/** Returns false if another process took the space meanwhile, or a disk quota forbids it. */
function tryToMakeReserve(directory: string, bytes: number): boolean {
  try {
    makeReserve(directory, bytes);
    return true;
  } catch (error) {
    if (isOutOfSpace(error)) return false;
    throw error;
  }
}

/** Random bytes, because a file system may store zeros as a hole, or compress them. */
function makeReserve(directory: string, bytes: number): void {
  const path = join(directory, RESERVE_FILE);
  const unfinished = `${path}${UNFINISHED}`;
  try {
    writeRandom(unfinished, bytes);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function writeRandom(path: string, bytes: number): void {
  const file = openSync(path, "w", 0o600);
  try {
    const piece = Buffer.allocUnsafe(MEGABYTE);
    for (let written = 0; written < bytes;)
      written += writeSync(file, randomFillSync(piece), 0, Math.min(MEGABYTE, bytes - written));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Releases one part of the reserve; returns its size, 0 if none is left. */
export function releaseReserve(directory: string, bytes: number): number {
  const path = join(directory, RESERVE_FILE);
  const size = reserveBytes(directory);
  if (size === 0) return 0;
  const part = Math.min(size, Math.max(Math.ceil(bytes / PARTS), MEGABYTE));
  if (part === size) {
    rmSync(path);
    return part;
  }
  const file = openSync(path, "r+");
  try {
    ftruncateSync(file, size - part);
  } finally {
    closeSync(file);
  }
  return part;
}

/** Has the write-ahead log take up what was just released, before another process does. SQLite ignores what follows the last frame. */
export function extendLog(log: number, bytes: number): void {
  let end = fstatSync(log).size;
  const last = end + bytes;
  const piece = Buffer.alloc(MEGABYTE);
  try {
    while (end < last) end += writeSync(log, piece, 0, Math.min(MEGABYTE, last - end), end);
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}

/** https://www.sqlite.org/rescode.html: SQLITE_FULL, and SQLITE_IOERR_SHMSIZE, with which the index of the log cannot grow. */
const FULL_CODES = new Set([13, 4874]);

/** Returns whether SQLite failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("errcode" in error && typeof error.errcode === "number") return FULL_CODES.has(error.errcode);
  return "cause" in error && isDiskFull(error.cause);
}

/**
 * Returns whether SQLite could not write because this user's disk quota is used up. SQLite does not say so, so a few bytes are written next to the database.
 */
export function isQuotaUsedUp(error: unknown, directory: string): boolean {
  if (!isFailedWrite(error))
    return error instanceof Error && error.cause !== undefined
      ? isQuotaUsedUp(error.cause, directory)
      : false;
  const path = join(directory, `${RESERVE_FILE}${UNFINISHED}`);
  try {
    writeRandom(path, PROBE_BYTES);
    return false;
  } catch (failure) {
    return isOutOfSpace(failure);
  } finally {
    rmSync(path, { force: true });
  }
}

interface Reserve {
  readonly directory: string;
  /** Bytes of the complete reserve. */
  readonly bytes: number;
  /** Called each time a part is released. */
  readonly released?: () => void;
}

/** Runs a task, again with one more part of the reserve each time that it finds the disk full. */
export function withReserve<Value>(
  { directory, bytes, released = () => {} }: Reserve,
  task: () => Value,
): Value {
  for (;;) {
    try {
      return task();
    } catch (error) {
      const isFull = isDiskFull(error) || isQuotaUsedUp(error, directory);
      if (!isFull || releaseReserve(directory, bytes) === 0) throw error;
      released();
    }
  }
}
