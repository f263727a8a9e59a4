import { isRecord } from "../../kit/safe-json.ts";
import { describeState } from "../check-response.ts";
import type { JsonObject } from "../api-client.ts";
import { formatTime } from "../table.ts";

/** Columns of a table of records: the heading, and the value for a record. */
export type Columns = readonly (readonly [
  heading: string,
  of: string | ((record: JsonObject) => unknown),
])[];

/** Instants are ms since 1970: from 2001 on, and no other number of the API is as large. */
const [FIRST_INSTANT, LAST_INSTANT] = [1e12, 1e13];
const MAX_COLUMNS = 7;
/** Fields with values that the caller already knows. */
const LEFT_OUT = new Set(["customer_id", "_rev", "status_token", "uuid"]);

/** Text for a figure if nothing was measured. */
const NO_DATA = "no data";

/** Columns of operations whose records do not fit in a table. A new operation needs none: its table shows the short fields. */
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
    ["CHANGES", ({ changes }) => [changes].flat().filter(isRecord).map(changeText).join("; ")],
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
    ["ENABLED", ({ enabled }) => durationOf(enabled)],
    ["DOWN", ({ down }) => durationOf(down)],
    ["UPTIME", ({ uptime }) => (typeof uptime === "number" ? `${uptime}%` : NO_DATA)],
  ],
  "results days": [
    ["CHECK", "check"],
    ["DAY", "day"],
    ["STATE", ({ state }) => (state === "none" ? NO_DATA : state)],
    ["ENABLED", ({ enabled }) => durationOf(enabled)],
    ["DOWN", ({ down }) => durationOf(down)],
    ["MAINTENANCE", ({ maintenance }) => durationOf(maintenance)],
  ],
  "results history": [
    ["FROM", "t"],
    ["LOCATION", "location"],
    ["RUNS", "runs"],
    ["FAILURES", "failures"],
    ["MIN", msOf("min")],
    ["MEDIAN", msOf("median")],
    ["P95", msOf("p95")],
    ["MAX", msOf("max")],
  ],
  "results summary": [
    ["FROM", "start"],
    ["RUNS", "count"],
    ["PASSED", "passed"],
    ["FAILED", "failed"],
    ["MEAN", msOf("rt")],
    ["MIN", msOf("min")],
    ["MAX", msOf("max")],
  ],
  "results current": [
    ["ID", "id"],
    ["TYPE OF EVENT", "type"],
    ["SINCE", "t"],
    ["LABEL", "label"],
  ],
  "info status": [
    ["LOCATION", "id"],
    ["LIVE", "live"],
    ["LAST SEEN", "last_seen"],
    ["VERSION", "version"],
    ["CHECKS", "checks"],
    ["LAST RUN", "last"],
    ["UNDECIDED", "undecided"],
  ],
  "info forms": [
    ["TYPE", "type"],
    ["TITLE", "title"],
    ["SUMMARY", "summary"],
  ],
  "checks test": [
    ["", "name"],
    ["", "value"],
  ],
  "statuses overview": [
    ["STATE", "state"],
    ["CHECKS", "count"],
  ],
  "overview down": [
    ["SINCE", "since"],
    ["LABEL", "label"],
    ["TYPE", "type"],
    ["TARGET", "target"],
    ["RESULT", ({ message, result }) => message || result],
    ["ACKNOWLEDGED BY", ({ acknowledged }) => (isRecord(acknowledged) ? acknowledged.by : "")],
  ],
  "overview groups": [
    ["SINCE", "since"],
    ["HOST", "host"],
    ["CHECKS", "count"],
    ["UNACKNOWLEDGED", "unacknowledged"],
    ["RESULT", ({ message, result }) => message || result],
  ],
  "overview ending": [
    ["AT", "at"],
    ["WHAT", "kind"],
    ["LABEL", "label"],
  ],
  "overview troubles": [
    ["SINCE", "since"],
    ["LABEL", "label"],
    ["WHAT", "kind"],
    ["TICKS", "count"],
    ["REASON", ({ message, reason }) => message || reason],
  ],
  "overview service": [
    ["", "name"],
    ["", "value"],
  ],
  "overview problems": [
    ["SINCE", "since"],
    ["PROBLEM", "name"],
    ["ABOUT", "subject"],
    ["CRITICAL", "critical"],
  ],
  "statuses activity": [
    ["AT", "at"],
    ["WHAT", "kind"],
    ["COUNT", "count"],
    [
      "CHECKS",
      ({ checks }) =>
        [checks]
          .flat()
          .filter(isRecord)
          .map(({ label }) => cellOf(label))
          .join(", "),
    ],
    ["LASTED", ({ ms }) => durationOf(ms)],
    ["RESULT", ({ message, result }) => message || result],
    ["BY", "by"],
  ],
  "statuses runtimes": [
    ["CHECK", "check"],
    ["HOUR", "hour"],
    ["MEAN", msOf("ms")],
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

function msOf(name: string): (record: JsonObject) => string {
  return ({ [name]: ms }) => (typeof ms === "number" ? `${ms} ms` : "");
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** Its two largest units, such as `2 h 5 min`. */
function durationOf(ms: unknown): string {
  if (typeof ms !== "number") return "";
  const first = units.findIndex(([, size]) => ms >= size);
  if (first === -1) return "0";
  let rest = ms;
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? "" : `${count} ${unit}`;
  });
  return parts.filter((part) => part !== "").join(" ");
}

export function columnsOf(key: string, records: readonly JsonObject[]): Columns {
  return byOperation[key] ?? shortColumns(key, records);
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
  return [...first, ...others].slice(0, MAX_COLUMNS).map((name) => [headingOf(name), name]);
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

/** A field that was changed; without values where they may be secret. */
function changeText({ field, before, after }: JsonObject): string {
  if (before === undefined && after === undefined) return `${cellOf(field)} changed`;
  return `${cellOf(field)}: ${cellOf(before ?? "none")} → ${cellOf(after ?? "none")}`;
}
