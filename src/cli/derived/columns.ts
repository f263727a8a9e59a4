import { isRecord } from "../../kit/safe-json.ts";
import { describeState } from "../check-response.ts";
import type { JsonObject } from "../api-client.ts";
import { formatTime } from "../table.ts";

/** The columns of a table of records: the heading, and what of a record stands below it. */
export type Columns = readonly (readonly [
  heading: string,
  of: string | ((record: JsonObject) => unknown),
])[];

/** Instants are ms since 1970: from 2001 on, and no other number of the API is as large. */
const [FIRST_INSTANT, LAST_INSTANT] = [1e12, 1e13];
const MOST_COLUMNS = 7;
/** They say what everybody knows of whoever asks. */
const LEFT_OUT = new Set(["customer_id", "_rev", "status_token", "uuid"]);

/** Stands for a figure of a time in which nothing was measured. */
const NO_DATA = "no data";
const DAY_MS = 86_400_000;

/** Of the operations whose records have more than a table can show. A new operation needs none: its table has what is short. */
const byOperation: Readonly<Record<string, Columns>> = {
  "accounts list": [
    ["ID", "id"],
    ["NAME", "name"],
    ["STATUS", "status"],
    ["CHECKS", "count"],
  ],
  "audit list": [
    ["AT", "at"],
    ["BY", "by"],
    ["NAME", "name"],
    ["OPERATION", "operation"],
    ["RECORD", "record"],
  ],
  "checks list": [
    ["ID", "_id"],
    ["STATE", describeState],
    ["TYPE", "type"],
    ["LABEL", "label"],
    ["TARGET", ({ parameters }) => (isRecord(parameters) ? parameters.target : "")],
    ["INTERVAL", ({ interval }) => `${String(interval)} min`],
  ],
  "maintenance list": [
    ["ID", "_id"],
    ["NAME", "name"],
    ["CRON", "cron"],
    ["START", "start"],
    ["MINUTES", "duration"],
    ["ENABLED", "enabled"],
    ["CHECKS", ({ checklist }) => (Array.isArray(checklist) ? checklist.length : "")],
  ],
  "notifications list": [
    ["AT", "at"],
    ["CHECK", "label"],
    ["TYPE", "type"],
    ["TO", "to"],
    ["BY", "network"],
    ["STATUS", "status"],
  ],
  "results results": [
    ["RAN", "s"],
    ["OUTCOME", ({ su }) => (su === true ? "passed" : "failed")],
    ["RESULT", "sc"],
    ["TIME", ({ rt }) => `${String(rt)} ms`],
    ["LOCATION", "rhp"],
    ["MESSAGE", "m"],
  ],
  "results uptime": [
    ["PERIOD", "id"],
    ["ENABLED", "enabled"],
    ["DOWN", "down"],
    ["UPTIME", ({ uptime }) => uptime ?? NO_DATA],
  ],
  "results days": [
    ["CHECK", "check"],
    ["DAY", "day"],
    ["STATE", ({ state }) => (state === "none" ? NO_DATA : state)],
    ["ENABLED", "enabled"],
    ["DOWN", "down"],
    ["MAINTENANCE", "maintenance"],
  ],
  "importedhistories list": [
    ["CHECK", "check"],
    ["ORIGIN", "origin"],
    ["FROM", "start"],
    ["UNTIL", "end"],
    ["SPANS", "spans"],
  ],
  "results events": [
    ["TYPE OF EVENT", "type"],
    ["FROM", "start"],
    ["UNTIL", "end"],
    ["MESSAGE", "message"],
  ],
  "statuses list": [
    ["ID", "id"],
    ["STATUS", "status"],
    ["SINCE", "since"],
    ["TYPE", "type"],
    ["LABEL", "label"],
    ["TARGET", "target"],
  ],
};

export function columnsOf(key: string, records: readonly JsonObject[]): Columns {
  return byOperation[key] ?? shortColumns(key, records);
}

/** The records of an operation that has other members in its answer; undefined for the others. */
export function recordsIn(key: string, answer: object): readonly JsonObject[] | undefined {
  return key === "results days" ? daysIn(answer) : undefined;
}

/** A record for each day of each check, out of lists with an entry a day. */
function daysIn(answer: object): readonly JsonObject[] {
  const { start, checks } = { start: 0, checks: {}, ...answer };
  return Object.entries(checks).flatMap(([check, bars]) => {
    const lists = Object.entries(isRecord(bars) ? bars : {}).filter(
      (member): member is [string, unknown[]] => Array.isArray(member[1]),
    );
    const days = Math.max(0, ...lists.map(([, list]) => list.length));
    return Array.from({ length: days }, (_, index) => ({
      check,
      day: new Date(start + index * DAY_MS).toISOString().slice(0, 10),
      ...Object.fromEntries(lists.map(([name, list]) => [name, list[index]])),
    }));
  });
}

/** The id and the name first, then what is neither long nor nested. */
function shortColumns(key: string, records: readonly JsonObject[]): Columns {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  // A list of records says what they are.
  if (key.endsWith(" list")) names.delete("type");
  const isShort = (name: string): boolean =>
    records.every(({ [name]: value }) => !isRecord(value) && !Array.isArray(value));
  const first = ["_id", "id", "name", "label"].filter((name) => names.has(name));
  const others = [...names].filter(
    (name) => !first.includes(name) && !LEFT_OUT.has(name) && isShort(name),
  );
  return [...first, ...others].slice(0, MOST_COLUMNS).map((name) => [headingOf(name), name]);
}

function headingOf(name: string): string {
  return name.replace(/^_/, "").replaceAll("_", " ").toUpperCase();
}

export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number" && value >= FIRST_INSTANT && value < LAST_INSTANT)
    return formatTime(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
