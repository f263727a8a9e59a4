import { InvalidInput } from "../../kit/errors.ts";
import { keyOfCheck, parseChecks } from "./check-entry.ts";
import type { Configuration } from "./document.ts";
import { matchRecords } from "./match.ts";
import { CommandError } from "../command-context.ts";
import type { DeclaredRecord, DeclaredSections } from "./declaration.ts";
import { shapes, type SectionName } from "./shapes.ts";
import { flatValues } from "./validate.ts";
import { textOf } from "./text-of.ts";

/** Existing records by section and key; records to be created are missing. */
export type Found = Readonly<Record<SectionName, ReadonlyMap<string, string>>>;

/** Records stored for a configuration: their IDs, by section and key. */
export type Remembered = Readonly<Record<string, { readonly id: string; readonly digest: string }>>;

export function recordKey(section: SectionName, key: string): string {
  return `${section}/${key}`;
}

/** Finds records by what is remembered of them, otherwise by a key that is an id, otherwise by name. */
export function findRecords(
  declared: DeclaredSections,
  current: Configuration,
  remembered: Remembered,
): Found {
  const find = (section: SectionName): ReadonlyMap<string, string> => {
    const records = declared[section];
    const found = new Map<string, string>();
    for (const key of records.keys()) {
      const id = remembered[recordKey(section, key)]?.id;
      if (id !== undefined && Object.hasOwn(current[section], id)) found.set(key, id);
      else if (Object.hasOwn(current[section], key)) found.set(key, key);
    }
    const open = [...records.values()].filter(({ key }) => !found.has(key));
    // A schedule has no name but its key.
    if (open.length === 0 || section === "schedules") return found;
    const taken = new Set(found.values());
    const left = [...namesIn(current, section)].filter(([id]) => !taken.has(id));
    for (const [key, id] of pairsByName(section, open, left)) found.set(key, id);
    return found;
  };
  return {
    schedules: find("schedules"),
    contacts: find("contacts"),
    contactgroups: find("contactgroups"),
    notificationprofiles: find("notificationprofiles"),
    checks: find("checks"),
    maintenance: find("maintenance"),
    statuspages: find("statuspages"),
  };
}

/** The nth with the nth of the same name. */
function pairsByName(
  section: SectionName,
  declared: readonly DeclaredRecord[],
  current: readonly (readonly [id: string, name: string])[],
): readonly (readonly [key: string, id: string])[] {
  // Marked, for a key must not be taken for an id here.
  const MARK = "key ";
  const pairs = matchRecords<string>(
    {
      wanted: Object.fromEntries(
        declared.map((record) => [MARK + record.key, nameOf(section, record)]),
      ),
      current: Object.fromEntries(current),
    },
    (name) => name,
  );
  return [...pairs].map(([key, id]) => [key.slice(MARK.length), id]);
}

/** Names by id; of checks also the type and the target count. */
function namesIn(
  current: Configuration,
  section: Exclude<SectionName, "schedules">,
): Iterable<readonly [id: string, name: string]> {
  if (section === "checks")
    return Object.entries(parseChecks(current.checks)).map(([id, check]) => [
      id,
      keyOfCheck(check),
    ]);
  return Object.entries(current[section]).map(([id, { name }]) => [id, name]);
}

/** The name of a record, which is its key where it has no other. */
export function titleOf(section: SectionName, { key, values }: DeclaredRecord): string {
  const { named } = shapes[section];
  const name = named === undefined ? undefined : values[named];
  return name === undefined ? key : textOf(name);
}

function nameOf(section: SectionName, record: DeclaredRecord): string {
  const label = titleOf(section, record);
  if (section !== "checks") return label;
  // Whom it alerts and what it depends on are names here, which no parser knows.
  const { dep: _dep, ...values } = flatValues(record);
  const entry = { ...values, type: textOf(values.type), label, parameters: {}, notifications: [] };
  try {
    const [parsed] = Object.values(parseChecks({ [record.key]: entry }));
    return parsed === undefined ? label : keyOfCheck(parsed);
  } catch (error) {
    // It has a fault, which is reported with all others.
    if (error instanceof CommandError || error instanceof InvalidInput) return label;
    throw error;
  }
}
