import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { paintStates } from "../output/colors.ts";
import { formatTable } from "../table.ts";
import { cellOf, columnsOf } from "./columns.ts";

type Output = Pick<CommandContext, "print" | "terminal">;

/** Prints an answer of the API for people: records as a table, one record as a line for each of its members. */
export function printAnswer(answer: object, key: string, output: Output): void {
  if (Array.isArray(answer)) return printRecords(answer.map(asRecord), key, output);
  const tables = tablesIn(key, answer);
  if (tables !== undefined) return printTables(tables, output);
  const members = Object.entries(answer);
  const page = key.endsWith(" list")
    ? members.find(([, value]) => Array.isArray(value))
    : undefined;
  if (page !== undefined) return printAnswer([page[1]].flat(), key, output);
  const records = members.flatMap(([name, value]) =>
    isRecord(value) ? [{ ...("_id" in value || "id" in value ? {} : { id: name }), ...value }] : [],
  );
  if (members.length > 0 && records.length === members.length)
    return printRecords(records, key, output);
  if (members.length === 0) return printRecords([], key, output);
  if (key.endsWith(" list"))
    throw new CommandError("the response has a format that this version does not know");
  printFields(
    members.map(([name, value]) => [name, cellOf(value)]),
    output,
  );
}

export function printJson(answer: unknown, { print }: Output): void {
  print(`${JSON.stringify(answer, undefined, 2)}\n`);
}

/** A name and a value in each row. */
export function printFields(rows: readonly (readonly [string, string])[], { print }: Output): void {
  print(formatTable(rows));
}

export function printRows(
  rows: readonly (readonly string[])[],
  { print, terminal: { columns, hasColors } }: Output,
): void {
  print(formatTable(rows, { columns, paint: hasColors ? paintStates : undefined }));
}

/** Tables after the first are left out where they have no rows. */
function printTables(tables: readonly AnswerTable[], output: Output): void {
  for (const [index, { title, key, records }] of tables.entries()) {
    if (index > 0 && records.length === 0) continue;
    if (title !== undefined) output.print(`\n${title}\n`);
    printRecords(records, key, output);
  }
}

function printRecords(records: readonly JsonObject[], key: string, output: Output): void {
  if (records.length === 0)
    return output.print(output.terminal.columns === undefined ? "" : "None.\n");
  const columns = columnsOf(key, records);
  const rows = records.map((record) =>
    columns.map(([, of]) => cellOf(typeof of === "string" ? record[of] : of(record))),
  );
  const heads = columns.map(([heading]) => heading);
  // Names and values need no headings.
  if (heads.every((heading) => heading === ""))
    return printFields(
      rows.map(([name = "", value = ""]) => [name, value]),
      output,
    );
  printRows([heads, ...rows], output);
}

/** A list of texts or numbers has a column without a name. */
function asRecord(value: unknown): JsonObject {
  return isRecord(value) ? value : { value };
}

/** A part of an answer: records under a heading, by the key of their columns. */
interface AnswerTable {
  readonly title?: string;
  readonly key: string;
  readonly records: readonly JsonObject[];
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The tables of an answer that is neither one record nor a list of them; undefined for all others. */
function tablesIn(key: string, answer: object): readonly AnswerTable[] | undefined {
  const tables = Object.hasOwn(byOperation, key) ? byOperation[key] : undefined;
  return isRecord(answer) ? tables?.(answer) : undefined;
}

const byOperation: Readonly<Record<string, (answer: JsonObject) => readonly AnswerTable[]>> = {
  "checks test": (answer) => [{ key: "checks test", records: testRows(answer) }],
  "info forms": ({ checks }) => [{ key: "info forms", records: recordsOf(checks) }],
  "info status": ({ locations }) => [{ key: "info status", records: entriesOf(locations) }],
  "results days": (answer) => [{ key: "results days", records: daysIn(answer) }],
  "results history": ({ series }) => [
    { key: "results history", records: recordsOf(series).flatMap(stretchesIn) },
  ],
  "results summary": (answer) => [
    {
      key: "results summary",
      records: entriesOf(answer).map((each) => ({ ...each, start: Number(each.id) })),
    },
  ],
  "statuses activity": ({ entries }) => [{ key: "statuses activity", records: recordsOf(entries) }],
  "statuses overview": overviewTables,
  "statuses runtimes": (answer) => [{ key: "statuses runtimes", records: hoursIn(answer) }],
};

function recordsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function entriesOf(value: unknown): readonly JsonObject[] {
  return Object.entries(isRecord(value) ? value : {}).flatMap(([id, each]) =>
    isRecord(each) ? [{ id, ...each }] : [],
  );
}

/** A record for each place in lists of the same length. */
function transposed(lists: JsonObject, more: (index: number) => JsonObject): JsonObject[] {
  const members = Object.entries(lists).filter((member): member is [string, unknown[]] =>
    Array.isArray(member[1]),
  );
  const most = Math.max(0, ...members.map(([, list]) => list.length));
  return Array.from({ length: most }, (_, index) => ({
    ...Object.fromEntries(members.map(([name, list]) => [name, list[index]])),
    ...more(index),
  }));
}

function daysIn({ start, checks }: JsonObject): readonly JsonObject[] {
  return Object.entries(isRecord(checks) ? checks : {}).flatMap(([check, bars]) =>
    transposed(isRecord(bars) ? bars : {}, (index) => ({
      check,
      day: new Date(Number(start) + index * DAY_MS).toISOString().slice(0, 10),
    })),
  );
}

function hoursIn({ start, checks }: JsonObject): readonly JsonObject[] {
  return Object.entries(isRecord(checks) ? checks : {}).flatMap(([check, ms]) =>
    transposed({ ms }, (index) => ({ check, hour: Number(start) + index * HOUR_MS })),
  );
}

function stretchesIn(series: JsonObject): readonly JsonObject[] {
  return transposed(series, () => ({ location: series.location }));
}

function testRows(answer: JsonObject): readonly JsonObject[] {
  const { outcome, reason, text, message, location, address, runtime, label, timings } = answer;
  const { evidence, ...others } = answer;
  const isPassed = outcome === "passed";
  const said = (isPassed ? undefined : message) || text || reason;
  const shown = new Set(
    "outcome reason text message location address runtime label timings".split(" "),
  );
  const rest = Object.entries(others).filter(([name]) => !shown.has(name));
  const rows: readonly (readonly [string, unknown])[] = [
    ["outcome", `${cellOf(outcome)}: ${cellOf(said)}`],
    ["reason", isPassed ? undefined : reason],
    ["result", text === said ? undefined : text],
    ["message", message === said ? undefined : message],
    ["label", label],
    ["location", location],
    ["address", address],
    ["response time", runtime === undefined ? undefined : `${cellOf(runtime)} ms`],
    ...entriesText(timings).map(([name, value]) => [`  ${name}`, `${value} ms`] as const),
    ...rest,
    ["evidence", evidence],
  ];
  return rows
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => ({ name, value }));
}

function entriesText(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(isRecord(value) ? value : {}).map(([name, each]) => [name, cellOf(each)]);
}

function overviewTables(answer: JsonObject): readonly AnswerTable[] {
  const { counts, down, groups, ending, troubles, service } = answer;
  const { ready, reasons, problems, locations, alerts } = isRecord(service) ? service : {};
  const words = [reasons].flat().map(cellOf).join(", ");
  return [
    {
      key: "statuses overview",
      records: entriesText(counts).map(([state, count]) => ({ state, count })),
    },
    { title: "Down", key: "overview down", records: recordsOf(down) },
    {
      title: "Down by host",
      key: "overview groups",
      records: recordsOf(groups).filter(({ count }) => Number(count) > 1),
    },
    { title: "Ending soon", key: "overview ending", records: recordsOf(ending) },
    { title: "Without a verdict", key: "overview troubles", records: recordsOf(troubles) },
    {
      title: "Service",
      key: "overview service",
      records: [
        { name: "ready", value: ready === true ? "yes" : `no: ${words}` },
        { name: "locations", value: [locations].flat().map(cellOf).join(", ") || "none" },
        { name: "alerts due", value: alerts },
      ],
    },
    { title: "Problems of the service", key: "overview problems", records: recordsOf(problems) },
  ];
}
