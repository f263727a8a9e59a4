import { constants } from "node:os";

import { codeOf, messageOf } from "./errors.ts";

const sentences: Readonly<Record<string, string>> = {
  EACCES: "this user may not do that there",
  EDQUOT: "the disk quota of this user is used up",
  EISDIR: "it is a folder",
  ENOENT: "there is no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is no folder",
  EPERM: "this user may not do that there",
  EROFS: "the file system is read-only",
};

/** SQLITE_IOERR_WRITE of https://www.sqlite.org/rescode.html, which SQLite also reports for a disk quota that is used up. */
const WRITE_FAILED = 778;

/** The code of an error of the system. Node has no name for EDQUOT, and calls it UNKNOWN. */
function systemCodeOf(error: unknown): string | undefined {
  return numberOf(error, "errno") === -constants.errno.EDQUOT ? "EDQUOT" : codeOf(error);
}

function numberOf(error: unknown, name: "errno" | "errcode"): number | undefined {
  if (typeof error !== "object" || error === null || !(name in error)) return undefined;
  return Number(Reflect.get(error, name));
}

/** Returns whether a file could not grow, because the disk is full or the disk quota of this user is used up. */
export function isOutOfSpace(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(systemCodeOf(error) ?? "");
}

/** Returns whether SQLite could not write for a reason that it does not tell. */
export function isFailedWrite(error: unknown): boolean {
  return numberOf(error, "errcode") === WRITE_FAILED;
}

/** Returns a message about a file for the person who entered its name, because `messageOf` names system calls. */
export function fileTrouble(error: unknown): string {
  // SQLite has no code of the system.
  if (messageOf(error).includes("database or disk is full")) return "the disk is full";
  if (isFailedWrite(error))
    return "the disk could not be written to: the disk quota of this user is used up, or the disk is damaged";
  return sentences[systemCodeOf(error) ?? ""] ?? messageOf(error);
}
