import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { paintStates } from "../output/colors.ts";
import { formatTable } from "../table.ts";
import { tablesIn, type AnswerTable } from "./answer-tables.ts";
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
