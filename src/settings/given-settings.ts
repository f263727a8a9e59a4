import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

import { codeOf, InvalidInput } from "../kit/errors.ts";
import { fileTrouble } from "../kit/file-error.ts";

/** The setting that names another file than `watchpost.env`. */
const FILE_SETTING = "WATCHPOST_FILE";
const DEFAULT_FILE = "watchpost.env";

export const defaultListen = "127.0.0.1:4848";

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the file and the environment, which overrides the file, as they are written. */
export function givenSettings(environment: Environment): Readonly<Record<string, string>> {
  const given = { ...settingsOf(readFile(environment[FILE_SETTING])), ...settingsOf(environment) };
  delete given[FILE_SETTING];
  return given;
}

/** An empty value counts as not set, because some shells cannot unset a variable. */
function settingsOf(source: Environment): Record<string, string> {
  const found = Object.entries(source).filter(
    (entry): entry is [string, string] =>
      entry[0].startsWith("WATCHPOST_") && entry[1] !== undefined && entry[1] !== "",
  );
  return Object.fromEntries(found);
}

function readFile(named: string | undefined): Environment {
  const path = named ?? DEFAULT_FILE;
  try {
    const found = parseEnv(readFileSync(path, "utf8"));
    const foreign = Object.keys(found).find((name) => !name.startsWith("WATCHPOST_"));
    if (foreign !== undefined)
      throw new InvalidInput(`${foreign}: unknown setting in ${JSON.stringify(path)}`);
    return found;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && named === undefined) return {};
    if (codeOf(error) === "invalid_input") throw error;
    throw new InvalidInput(
      `${FILE_SETTING}: cannot read ${JSON.stringify(path)}: ${fileTrouble(error)}`,
      { cause: error },
    );
  }
}
