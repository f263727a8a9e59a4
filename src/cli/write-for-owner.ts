import { open } from "node:fs/promises";

import { codeOf } from "../kit/errors.ts";
import { fileTrouble } from "../kit/file-error.ts";
import { CommandError } from "./command-context.ts";

/** Writes a file that only its owner can read. The mode applies only to a new file, so an existing one is changed before it is written. */
export async function writeForOwner(path: string, text: string): Promise<void> {
  try {
    await using file = await open(path, "w", 0o600);
    await file.chmod(0o600);
    await file.writeFile(text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Does not replace a file. */
export async function createForOwner(path: string, text: string): Promise<void> {
  try {
    await using file = await open(path, "wx", 0o600);
    await file.writeFile(text);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw cannotWrite(path, error);
    throw new CommandError(
      `there is a file ${JSON.stringify(path)} already: choose another --output`,
      {
        cause: error,
      },
    );
  }
}

function cannotWrite(path: string, cause: unknown): CommandError {
  return new CommandError(`cannot write ${JSON.stringify(path)}: ${fileTrouble(cause)}`, { cause });
}
