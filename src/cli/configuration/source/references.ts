import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";

import { fileTrouble } from "../../../kit/file-error.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import type { Faults } from "./faults.ts";
import type { SourceLocation } from "./source-location.ts";
import { redacted, type Redact } from "./redact.ts";

/** `${env:NAME}` and `${file:path}`; a dollar before it takes its meaning away. */
const REFERENCE = /\$?\$\{(env|file):([^}]*)\}/g;
/** Larger than any key or certificate. */
const MAX_SECRET_BYTES = 65_536;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Fills in what files refer to, and remembers it, so that none of it is ever printed. */
export interface References {
  /** The value with what it refers to, and whether it refers to anything. Adds a fault for each reference to nothing. */
  readonly fill: (value: unknown, place: SourceLocation) => Filled;
  readonly redact: Redact;
}

export interface Filled {
  readonly value: unknown;
  readonly hasReference: boolean;
  /** Something that it refers to is not there. */
  readonly isMissing: boolean;
}

export function createReferences(environment: Environment, faults: Faults): References {
  const secrets = new Set<string>();
  const read = (kind: string, name: string, place: SourceLocation): string | undefined => {
    const found = kind === "env" ? environment[name] : contentOf(place.file.folder, name);
    if (typeof found === "string" && found !== "") return found;
    faults.add(place, kind === "env" ? missingVariable(name) : missingFile(name, found));
    return undefined;
  };
  const fillText = (text: string, place: SourceLocation): Filled => {
    let hasReference = false;
    let isMissing = false;
    const value = text.replaceAll(REFERENCE, (whole, kind: string, name: string) => {
      if (whole.startsWith("$$")) return whole.slice(1);
      hasReference = true;
      const secret = read(kind, name, place) ?? "";
      isMissing ||= secret === "";
      if (secret !== "") secrets.add(secret);
      return secret;
    });
    return { value, hasReference, isMissing };
  };
  const fill = (value: unknown, place: SourceLocation): Filled => {
    if (typeof value === "string") return fillText(value, place);
    const { file, path } = place;
    if (Array.isArray(value)) {
      const filled = value.map((each, at) => fill(each, { file, path: [...path, at] }));
      return {
        value: filled.map((each) => each.value),
        hasReference: filled.some((each) => each.hasReference),
        isMissing: filled.some((each) => each.isMissing),
      };
    }
    if (!isRecord(value)) return { value, hasReference: false, isMissing: false };
    const filled = Object.entries(value).map(
      ([name, each]) => [name, fill(each, { file, path: [...path, name] })] as const,
    );
    return {
      value: Object.fromEntries(filled.map(([name, each]) => [name, each.value])),
      hasReference: filled.some(([, each]) => each.hasReference),
      isMissing: filled.some(([, each]) => each.isMissing),
    };
  };
  return { fill, redact: (text) => redacted(text, secrets) };
}

/** A text of its own that only looks like a reference, as files have it. */
export function escapeReferences(text: string): string {
  return text.replaceAll(REFERENCE, (whole) => `$${whole}`);
}

function missingVariable(name: string): string {
  return `the environment has no ${name === "" ? "variable without a name" : name}`;
}

function missingFile(name: string, found: unknown): string {
  const trouble = found === "" ? "it is empty" : fileTrouble(found);
  return `cannot read ${JSON.stringify(name)}: ${trouble}`;
}

/**
 * Returns the text of a file in the folder, without the final newline, or the reason why it cannot be read. Files from others must not read anything else on
 * this machine.
 */
function contentOf(folder: string, name: string): unknown {
  try {
    const named = resolve(folder, name);
    if (isAbsolute(name) || leadsOut(folder, named)) return outside();
    // Links are followed, because one may lead out of the folder.
    const path = realpathSync(named);
    if (leadsOut(realpathSync(folder), path)) return outside();
    const { size } = statSync(path);
    if (size > MAX_SECRET_BYTES) return new Error(`it has more than ${MAX_SECRET_BYTES} bytes`);
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    return error;
  }
}

function leadsOut(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === ".." || way.startsWith("../") || isAbsolute(way);
}

function outside(): Error {
  return new Error("it is outside the folder of the file that refers to it");
}
