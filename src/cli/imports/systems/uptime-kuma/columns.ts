import { messageOf } from "../../../../kit/errors.ts";
import { isRecord, parseJson } from "../../../../kit/safe-json.ts";
import type { JsonObject } from "../../../api-client.ts";
import type { Notes, TypedCheck } from "../../imported.ts";

/** A monitor with the names of its columns, whether they come from the database or a backup. */
export interface Monitor {
  readonly row: JsonObject;
  readonly isEnabled: boolean;
  readonly tags: readonly string[];
  readonly notifications: readonly string[];
}

export type ConvertMonitor = (monitor: Monitor, notes: Notes) => TypedCheck | string;

/** Reads a column of JSON text, or what a backup has in its place. */
export function jsonColumn(row: JsonObject, name: string, notes: Notes): unknown {
  const value = row[name];
  if (typeof value !== "string") return value ?? undefined;
  if (value.trim() === "") return undefined;
  try {
    return parseJson(name, value);
  } catch (error) {
    notes.leftOut(name, messageOf(error));
    return undefined;
  }
}

export function headersOf(row: JsonObject, notes: Notes): Readonly<Record<string, string>> {
  const headers = jsonColumn(row, "headers", notes);
  if (!isRecord(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
