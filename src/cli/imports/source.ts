import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { parseAllDocuments } from "yaml";

import { messageOf } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/file-error.ts";
import { assertSafe, isRecord, parseJson } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import { CommandError } from "../command-context.ts";

const MAX_FILES = 500;
const MAX_BYTES = 64 * 1024 * 1024;
const LIMITS = { depth: 50, keys: 2_000_000 };
/** Aliases of YAML can make a small file a huge one. */
const MAX_ALIASES = 10_000;

/** A file of the source, parsed. */
export interface ImportFile {
  readonly name: string;
  readonly value: unknown;
}

/** Reads a file of JSON or YAML, or all of a folder in the order of their names. */
export async function readImportFiles(path: string): Promise<readonly ImportFile[]> {
  try {
    const info = await stat(path);
    if (!info.isDirectory()) return await parsedFile(path, await limited(path, info.size));
    const names = (await readdir(path))
      .filter((name) => /\.(?:json|ya?ml)$/i.test(name))
      .toSorted();
    if (names.length === 0) throw new CommandError(`no .json, .yaml or .yml file in ${path}`);
    if (names.length > MAX_FILES) throw new CommandError(`more than ${MAX_FILES} files in ${path}`);
    const files: ImportFile[] = [];
    let bytes = 0;
    for (const name of names) {
      const file = join(path, name);
      bytes += (await stat(file)).size;
      files.push(...(await parsedFile(file, await limited(file, bytes))));
    }
    return files;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${JSON.stringify(path)}: ${fileTrouble(error)}`, {
      cause: error,
    });
  }
}

function limited(path: string, bytes: number): Promise<string> {
  if (bytes > MAX_BYTES) throw new CommandError(`${path}: larger than ${MAX_BYTES} bytes in all`);
  return readFile(path, "utf8");
}

async function parsedFile(name: string, text: string): Promise<readonly ImportFile[]> {
  if (text.includes("\0")) throw new CommandError(`${name}: neither JSON nor YAML`);
  try {
    if (/^\s*[[{]/.test(text) && !/\.ya?ml$/i.test(name))
      return [{ name, value: parseJson(name, text, LIMITS) }];
    return parseAllDocuments(text, { merge: true }).map((document) => {
      const [problem] = document.errors;
      if (problem !== undefined) throw problem;
      const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
      assertSafe(name, value, LIMITS);
      return { name, value };
    });
  } catch (error) {
    // After its first line, a message of the parser of YAML quotes the file.
    const [message = ""] = messageOf(error).split(/:?\n/, 1);
    throw new CommandError(`${name}: ${message}`, { cause: error });
  }
}

/** The objects of a list, wherever files have one by one of these names, or are one. */
export function listed(files: readonly ImportFile[], ...names: readonly string[]): JsonObject[] {
  return files.flatMap(({ value }) => {
    if (Array.isArray(value)) return value.filter(isRecord);
    if (!isRecord(value)) return [];
    return names.flatMap((name) => objects(value[name]));
  });
}

/** Returns the objects of a list; empty for other values. */
export function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns an object; empty for other values. */
export function object(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** Text that says something: numbers too, as some systems send them. */
export function text(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A number, also one in a text. */
export function number(value: unknown): number | undefined {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && value.trim() === "") return undefined;
  const found = typeof value === "string" ? Number(value) : value;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** Returns whether it is switched on, in the notations of databases, JSON and forms. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === 1n || value === "1" || value === "true";
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((each) => text(each) ?? []) : [];
}
