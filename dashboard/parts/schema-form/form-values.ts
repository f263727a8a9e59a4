import type { components } from "../../api/schema.ts";

export type FormParameter = components["schemas"]["FormParameter"];

/** A name with its value, as a row of a form. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** A number that is found by its path, as a row of a form. */
export interface Metric {
  /** Under which it is stored; empty for a new one. */
  readonly key: string;
  readonly name: string;
  readonly min: number | string;
  readonly max: number | string;
}

export type FormValue = string | number | boolean | readonly Pair[] | readonly Metric[];
export type FormValues = Readonly<Record<string, FormValue>>;
type Stored = Readonly<Record<string, unknown>>;

const WORDS_OF_TRUE = new Set(["true", "yes", "on", "1", "active"]);

/** Initial values of a new record's form. */
export function newValues(parameters: readonly FormParameter[]): FormValues {
  return Object.fromEntries(
    parameters.map((parameter) => [
      parameter.name,
      shownValue(parameter, parameter.suggested ?? parameter.default),
    ]),
  );
}

/** Initial values of a stored record's form. */
export function storedValues(parameters: readonly FormParameter[], stored: Stored): FormValues {
  return Object.fromEntries(
    parameters.map((parameter) => [
      parameter.name,
      shownValue(parameter, stored[parameter.name] ?? parameter.default),
    ]),
  );
}

/** Converts a value, because the API keeps the notation in which it was sent. */
function shownValue(parameter: FormParameter, value: unknown): FormValue {
  switch (parameter.input) {
    case "switch":
      return WORDS_OF_TRUE.has(String(value).toLowerCase());
    case "choice":
      return shownChoice(parameter, value);
    case "integer":
    case "number":
      return value === undefined || value === "" || value === false ? "" : Number(value);
    case "pairs":
      return Object.entries(asRecord(value)).map(([name, each]) => ({ name, value: String(each) }));
    case "metrics":
      return Object.entries(asRecord(value)).map(([key, each]) => shownMetric(key, each));
    default:
      return shownText(value);
  }
}

function shownChoice({ choices = [] }: FormParameter, value: unknown): string {
  const word = value === true ? "ssl" : shownText(value);
  const known = choices.find((choice) => choice.value.toLowerCase() === word.toLowerCase());
  return known?.value ?? choices[0]?.value ?? "";
}

function shownMetric(key: string, value: unknown): Metric {
  const { name = "", min = "", max = "" } = asRecord(value);
  return { key, name: String(name), min: limitOf(min), max: limitOf(max) };
}

function limitOf(limit: unknown): number | string {
  if (limit === null) return 0;
  return limit === "" || Number.isNaN(Number(limit)) ? "" : Number(limit);
}

function shownText(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function asRecord(value: unknown): Stored {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Returns the values to send for a new record: those entered, or different from the default of a missing value. */
export function sentValues(parameters: readonly FormParameter[], values: FormValues): Stored {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = wireValue(parameter, values[parameter.name] ?? "", []);
      return isUnset(value) || isDefault(parameter, value) ? [] : [[parameter.name, value]];
    }),
  );
}

/** Returns the values to send for a stored record: those changed. Empty text removes a value, and null a member. */
export function changedValues(
  parameters: readonly FormParameter[],
  { before, after }: { readonly before: FormValues; readonly after: FormValues },
): Stored {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const { name } = parameter;
      const [was = "", is = ""] = [before[name], after[name]];
      if (JSON.stringify(was) === JSON.stringify(is)) return [];
      return [[name, wireValue(parameter, is, was)]];
    }),
  );
}

function isUnset(value: unknown): boolean {
  const isEmptyRecord =
    typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return value === "" || isEmptyRecord;
}

function isDefault(parameter: FormParameter, value: unknown): boolean {
  return parameter.default !== undefined && value === parameter.default;
}

function wireValue({ input }: FormParameter, value: FormValue, before: FormValue): unknown {
  if (input === "pairs") return wirePairs(pairRows(value), pairRows(before));
  if (input === "metrics") return metricsToRequest(metricRows(value), metricRows(before));
  return value;
}

export function pairRows(value: FormValue): readonly Pair[] {
  return typeof value === "object" ? value.filter((row) => "value" in row) : [];
}

export function metricRows(value: FormValue): readonly Metric[] {
  return typeof value === "object" ? value.filter((row) => "min" in row) : [];
}

function wirePairs(rows: readonly Pair[], before: readonly Pair[]): Stored {
  const removed = before.map(({ name }) => [name, null] as const);
  const kept = rows
    .filter(({ name }) => name.trim() !== "")
    .map(({ name, value }) => [name.trim(), value] as const);
  return Object.fromEntries([...removed, ...kept]);
}

/** Limits that are not sent are kept, so a changed row is stored under a new key. */
function metricsToRequest(rows: readonly Metric[], before: readonly Metric[]): Stored {
  const unchanged = new Set(
    before.filter((row) => rows.some((each) => isSame(each, row))).map(({ key }) => key),
  );
  const removed = before
    .filter(({ key }) => !unchanged.has(key))
    .map(({ key }) => [key, null] as const);
  const taken = new Set(before.map(({ key }) => key));
  const added = rows
    .filter(({ key, name }) => !unchanged.has(key) && name.trim() !== "")
    .map((row) => [freeKey(row.name.trim(), taken), wireMetric(row)] as const);
  return Object.fromEntries([...removed, ...added]);
}

function isSame(one: Metric, other: Metric): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function freeKey(name: string, taken: Set<string>): string {
  let key = name;
  for (let count = 2; taken.has(key); count += 1) key = `${name} ${count}`;
  taken.add(key);
  return key;
}

function wireMetric({ name, min, max }: Metric): Stored {
  return {
    name: name.trim(),
    ...(min !== "" && { min: Number(min) }),
    ...(max !== "" && { max: Number(max) }),
  };
}
