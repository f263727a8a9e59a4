import { chmod, mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";

import { codeOf } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/file-error.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { CommandError } from "../command-context.ts";
import { alternatives, unknownName } from "../unknown-name.ts";

/** An installation that somebody has logged in to. */
export interface LoginContext {
  readonly url: string;
  readonly token: string;
  /** A subaccount in place of the token's own account. */
  readonly account?: string | undefined;
}

export interface Contexts {
  /** The name of the one that commands use unless another is named. */
  readonly current: string | undefined;
  readonly byName: Readonly<Record<string, LoginContext>>;
}

const NAME = "contexts.json";
const NAME_FORM = /^[\w.-]{1,64}$/;
const OTHERS = 0o077;

/** Returns the contexts in the user's configuration folder; empty if there is no file. */
export async function readContexts(folder: string): Promise<Contexts> {
  const path = join(folder, NAME);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw trouble("read", path, error);
  });
  if (text === undefined) return { current: undefined, byName: {} };
  const { mode } = await stat(path);
  if ((mode & OTHERS) !== 0)
    throw new CommandError(`others may read ${path}, which has tokens: chmod 600 it`);
  return parsed(text, path);
}

/** Replaces the file as a whole; only its owner can read it. */
export async function writeContexts(folder: string, contexts: Contexts): Promise<void> {
  const path = join(folder, NAME);
  const fresh = `${path}.new`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    {
      await using file = await open(fresh, "w", 0o600);
      await file.writeFile(`${JSON.stringify(contexts, undefined, 2)}\n`);
      await file.sync();
    }
    await chmod(fresh, 0o600);
    await rename(fresh, path);
  } catch (error) {
    throw trouble("write", path, error);
  }
}

export function assertContextName(name: string): void {
  if (!NAME_FORM.test(name) || name.startsWith("-"))
    throw new CommandError("a context has a name of at most 64 letters, digits, dots and hyphens");
}

/** The context of that name; throws with those that there are. */
export function contextNamed({ byName }: Contexts, name: string): LoginContext {
  const found = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(byName);
  const hint =
    known.length === 0 ? "; `watchpost login` makes one" : `; use ${alternatives(known)}`;
  const sentence = unknownName("context", name, known);
  throw new CommandError(sentence.endsWith("?") ? sentence : `${sentence}${hint}`);
}

function parsed(text: string, path: string): Contexts {
  const value = jsonOf(text);
  if (!isRecord(value) || !isRecord(value.byName))
    throw new CommandError(`${path} has no contexts: remove it, and log in again`);
  const entries = Object.entries(value.byName).flatMap(([name, each]) => {
    if (!isRecord(each) || typeof each.url !== "string" || typeof each.token !== "string")
      return [];
    const account = typeof each.account === "string" ? { account: each.account } : {};
    return [[name, { url: each.url, token: each.token, ...account }] as const];
  });
  return {
    current: typeof value.current === "string" ? value.current : undefined,
    byName: Object.fromEntries(entries),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function trouble(verb: string, path: string, cause: unknown): CommandError {
  return new CommandError(`cannot ${verb} ${path}: ${fileTrouble(cause)}`, { cause });
}
