import { codeOf, messageOf } from "../errors.ts";

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

/** Why something could not be done with a file, for who typed its name: `messageOf` names system calls. */
export function fileTrouble(error: unknown): string {
  // SQLite has no code of the system.
  if (messageOf(error).includes("database or disk is full")) return "the disk is full";
  return sentences[codeOf(error) ?? ""] ?? messageOf(error);
}
