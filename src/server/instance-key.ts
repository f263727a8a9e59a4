import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { codeOf, InvalidInput, messageOf, NotFound, Unavailable } from "../kit/errors.ts";
import { createPrivateFolder } from "../kit/private-folder.ts";
import type { Config } from "../settings/config.ts";

const KEY_BYTES = 32;
const DATABASE = "watchpost.db";
const KEY = "instance.key";

type KeySettings = Pick<
  Config,
  "WATCHPOST_DATA" | "WATCHPOST_INSTANCE_KEY" | "WATCHPOST_DATABASE_URL"
>;

/**
 * The key that encrypts credentials at rest: the configured one, or the one in the data folder, which is created at the first start
 * of the embedded database. Another database may have other processes, which would each make their own.
 */
export function loadInstanceKey(settings: KeySettings): Uint8Array {
  const { WATCHPOST_DATA: directory, WATCHPOST_INSTANCE_KEY: given } = settings;
  if (given !== undefined) return parseKey(given.reveal(), "WATCHPOST_INSTANCE_KEY");
  const path = join(directory, KEY);
  const known = readKey(path);
  if (known !== undefined) return parseKey(known, path);
  if (settings.WATCHPOST_DATABASE_URL !== undefined)
    throw new InvalidInput(
      `WATCHPOST_INSTANCE_KEY: required with WATCHPOST_DATABASE_URL, the same for every process over the database, or in ${JSON.stringify(path)}; the first time you can make one with "openssl rand -hex 32"`,
    );
  // A new one would open nothing of it, and be taken for the one that is missed.
  if (existsSync(join(directory, DATABASE)))
    throw new NotFound(
      `there is a database in ${JSON.stringify(directory)} and no ${path}, without which nothing that is sealed can be read: put it back from a backup, set WATCHPOST_INSTANCE_KEY, or see "The key is lost" in docs/worst-day.md`,
    );
  const key = randomBytes(KEY_BYTES);
  try {
    createPrivateFolder(directory);
    writeFileSync(path, `${key.toString("hex")}\n`, {
      mode: /* guard: the instance key's file = 0o666 */ 0o600,
      flag: "wx",
      flush: true,
    });
    // A key without a database is one whose database was lost.
    writeFileSync(join(directory, DATABASE), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new Unavailable(
      `the data folder ${JSON.stringify(directory)} cannot be written: ${messageOf(error)}`,
      { cause: error },
    );
  }
  return key;
}

/** Returns whether there is a key; before the first start there is none. */
export function hasInstanceKey({
  WATCHPOST_DATA: directory,
  WATCHPOST_INSTANCE_KEY: given,
}: KeySettings): boolean {
  return given !== undefined || existsSync(join(directory, KEY));
}

/** Returns the reason why a start would create a new database in place of a lost one; undefined if it would not. */
export function missingDatabase({
  WATCHPOST_DATA: directory,
  WATCHPOST_DATABASE_URL: url,
}: KeySettings): string | undefined {
  const isThere = (name: string): boolean => existsSync(join(directory, name));
  if (url !== undefined || isThere(DATABASE)) return undefined;
  const left = [KEY, `${DATABASE}-wal`].find(isThere);
  if (left === undefined) return undefined;
  return `the data folder ${JSON.stringify(directory)} has ${left} and no ${DATABASE}: put the database back, or restore a backup (watchpost restore). To begin a new installation without any data, start with --empty`;
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Unavailable(`the instance key cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function parseKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? "hex" : "base64");
  if (key.length !== KEY_BYTES)
    throw new InvalidInput(`${source}: must be ${KEY_BYTES} bytes in hex or base64`);
  return key;
}
