import { createHash } from "node:crypto";

import { isRecord } from "../../kit/safe-json.ts";
import { closestWord } from "../../schema/closest-word.ts";
import type { DeclaredRecord, Declaration } from "./declaration.ts";
import type { Faults } from "./source/faults.ts";
import type { SourceLocation, SourceFile } from "./source/source-location.ts";
import type { References } from "./source/references.ts";
import { sectionNames, type SectionName } from "./shapes.ts";

const MAX_KEY_LENGTH = 200;
const MAX_NAME_LENGTH = 100;
export const defaultName = "default";

interface Deps {
  readonly references: References;
  readonly faults: Faults;
}

/** One account, while the files are read. */
interface Draft {
  place: SourceLocation;
  account: DeclaredRecord | undefined;
  branding: DeclaredRecord | undefined;
  readonly sections: Record<SectionName, Map<string, DeclaredRecord>>;
}

/** Puts together what several files say. */
export function declarationOf(files: readonly SourceFile[], deps: Deps): Declaration {
  const [first] = files;
  if (first === undefined) throw new RangeError("no file");
  const draft = newDraft({ file: first, path: [] });
  const subaccounts = new Map<string, Draft>();
  const names: { readonly name: string; readonly place: SourceLocation }[] = [];
  for (const file of files) {
    const place = { file, path: [] };
    if (!isRecord(file.value)) {
      deps.faults.add(place, "must be an object of sections, such as checks");
      continue;
    }
    addMembers(draft, { place, values: file.value, more: ["configuration", "subaccounts"] }, deps);
    const { configuration, subaccounts: below } = file.value;
    if (configuration !== undefined)
      names.push({ name: nameOf(configuration, inside(place, "configuration"), deps), place });
    if (below !== undefined)
      addSubaccounts(subaccounts, { place: inside(place, "subaccounts"), values: below }, deps);
  }
  const name = names[0]?.name ?? defaultName;
  for (const other of names)
    if (other.name !== name)
      deps.faults.add(
        inside(other.place, "configuration"),
        `another file says ${JSON.stringify(name)}: files that are applied together have one name`,
      );
  return { ...draft, name, subaccounts };
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(sortedJson(value)).digest("hex").slice(0, 32);
}

/** The same text for equal values, whatever the order of their members. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

export function inside(
  { file, path }: SourceLocation,
  ...parts: readonly (string | number)[]
): SourceLocation {
  return { file, path: [...path, ...parts] };
}

function newDraft(place: SourceLocation): Draft {
  const empty = (): Map<string, DeclaredRecord> => new Map();
  return {
    place,
    account: undefined,
    branding: undefined,
    sections: {
      schedules: empty(),
      contacts: empty(),
      contactgroups: empty(),
      notificationprofiles: empty(),
      checks: empty(),
      maintenance: empty(),
      statuspages: empty(),
    },
  };
}

interface Given {
  readonly place: SourceLocation;
  readonly values: unknown;
}

function addSubaccounts(drafts: Map<string, Draft>, { place, values }: Given, deps: Deps): void {
  if (!isRecord(values)) return deps.faults.add(place, "must be an object of subaccounts");
  for (const [key, below] of Object.entries(values)) {
    const at = inside(place, key);
    if (!isRecord(below)) {
      deps.faults.add(at, "must be an object of sections, such as checks");
      continue;
    }
    assertKey(key, at, deps);
    const draft = drafts.get(key) ?? newDraft(at);
    drafts.set(key, draft);
    addMembers(draft, { place: at, values: below, more: [] }, deps);
  }
}

function addMembers(
  draft: Draft,
  {
    place,
    values,
    more,
  }: {
    readonly place: SourceLocation;
    readonly values: Readonly<Record<string, unknown>>;
    readonly more: readonly string[];
  },
  deps: Deps,
): void {
  for (const [name, value] of Object.entries(values)) {
    const at = inside(place, name);
    const section = sectionNames.find((each) => each === name);
    if (section !== undefined)
      addSection(draft.sections[section], { place: at, values: value }, deps);
    else if (name === "account" || name === "branding")
      draft[name] = single(draft[name], { place: at, values: value }, deps);
    // Members with this prefix are ignored, as a place for anchors.
    else if (!more.includes(name) && !name.startsWith("x-"))
      deps.faults.add(at, unknownMember(name, [...sectionNames, "account", "branding", ...more]));
  }
}

function single(
  known: DeclaredRecord | undefined,
  { place, values }: Given,
  deps: Deps,
): DeclaredRecord | undefined {
  if (!isRecord(values)) {
    if (values !== null) deps.faults.add(place, "must be an object");
    return known;
  }
  if (known !== undefined) deps.faults.add(place, `is there twice, also in ${where(known.place)}`);
  return recordOf("", { place, values }, deps);
}

function addSection(
  section: Map<string, DeclaredRecord>,
  { place, values }: Given,
  deps: Deps,
): void {
  if (values === null || values === undefined) return;
  if (!isRecord(values))
    return deps.faults.add(place, "must be an object, in which each record has a key");
  for (const [key, value] of Object.entries(values)) {
    const at = inside(place, key);
    if (value !== null && !isRecord(value)) {
      deps.faults.add(at, "must be an object");
      continue;
    }
    assertKey(key, at, deps);
    const known = section.get(key);
    if (known === undefined)
      section.set(key, recordOf(key, { place: at, values: value ?? {} }, deps));
    else deps.faults.add(at, `is there twice, also in ${where(known.place)}`);
  }
}

function recordOf(
  key: string,
  {
    place,
    values,
  }: { readonly place: SourceLocation; readonly values: Readonly<Record<string, unknown>> },
  { references }: Deps,
): DeclaredRecord {
  const filled = Object.entries(values).map(
    ([name, value]) => [name, references.fill(value, inside(place, name))] as const,
  );
  return {
    key,
    place,
    values: Object.fromEntries(
      // Nothing after a colon is the same as no such line.
      filled
        .filter(([, { value, isMissing }]) => value !== null && !isMissing)
        .map(([name, { value }]) => [name, value]),
    ),
    textDigest: digestOf(values),
    secretMembers: new Set(
      filled.filter(([, { hasReference }]) => hasReference).map(([name]) => name),
    ),
    isIncomplete: filled.some(([, { isMissing }]) => isMissing),
  };
}

function assertKey(key: string, place: SourceLocation, { faults }: Deps): void {
  if (key === "" || key.length > MAX_KEY_LENGTH || /[\p{Cc}\p{Cs}]/u.test(key))
    faults.add(place, `a key must have 1 to ${MAX_KEY_LENGTH} printable characters`);
}

function nameOf(value: unknown, place: SourceLocation, { faults }: Deps): string {
  if (
    typeof value === "string" &&
    value.length <= MAX_NAME_LENGTH &&
    /^[\p{L}\p{N}_.-]+$/u.test(value)
  )
    return value;
  faults.add(
    place,
    `must be 1 to ${MAX_NAME_LENGTH} letters, digits, hyphens, dots and underscores`,
  );
  return defaultName;
}

export function unknownMember(name: string, known: readonly string[]): string {
  const meant = closestWord(name, known);
  return meant === undefined ? "not known here" : `not known here, did you mean ${meant}?`;
}

function where({ file, path }: SourceLocation): string {
  const { line } = file.positionOf(path);
  return `${file.name}:${line}`;
}
