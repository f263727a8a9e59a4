import type { JsonObject } from "../api-client.ts";
import type { Notes } from "./imported.ts";
import { text } from "./source.ts";

/** Treatment of another system's field by an import. */
export type Disposition =
  /** Decides what the record becomes; the import itself notes what changes. */
  | { readonly outcome: "mapped" }
  /** An id, a state or a figure, which nobody has set. */
  | { readonly outcome: "no setting" }
  /** Belongs to another field, whose note covers it. */
  | { readonly outcome: "part"; readonly of: string }
  /** Is lost; `off` disables the check, because without the field it would alarm where the other system does not. */
  | {
      readonly outcome: "left out" | "off";
      readonly reason: string;
      /** The default of the other system, about which nothing is noted. */
      readonly usual: unknown;
    };

/** Every field that records of a kind can have, so that one that is missing here is noted too. */
export type Fields = Readonly<Record<string, Disposition>>;

function all(names: string, disposition: Disposition): Fields {
  const each = names.split(/\s+/).filter((name) => name !== "");
  return Object.fromEntries(each.map((name) => [name, disposition]));
}

/** Fields of names that are separated by spaces. */
export const mapped = (names: string): Fields => all(names, { outcome: "mapped" });

export const noSetting = (names: string): Fields => all(names, { outcome: "no setting" });

export const partOf = (of: string, names: string): Fields => all(names, { outcome: "part", of });

export const leftOut = (names: string, reason: string, usual?: unknown): Fields =>
  all(names, { outcome: "left out", reason, usual });

export const off = (names: string, reason: string, usual?: unknown): Fields =>
  all(names, { outcome: "off", reason, usual });

/** Notes each field of a record that does not come, also one that is not known. */
export function noteFields(record: JsonObject, fields: Fields, notes: Notes, prefix = ""): void {
  for (const [name, value] of Object.entries(record)) {
    const disposition = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const field = `${prefix}${name}`;
    if (disposition === undefined) {
      if (!isUnset(value)) notes.leftOut(field, "this version does not know the field");
    } else if (disposition.outcome === "left out" || disposition.outcome === "off") {
      const { outcome, reason, usual } = disposition;
      const isUsual = usual === undefined ? isUnset(value) : isSame(value, usual);
      if (!isUsual) notes[outcome === "off" ? "off" : "leftOut"](field, reason);
    }
  }
}

/** Returns whether a value says nothing: it is empty, or switched off in the notations of databases, JSON and forms. */
function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true;
  if (typeof value === "string") return ["", "0", "false", "[]", "{}"].includes(value.trim());
  if (typeof value === "object") return Object.keys(value).length === 0;
  return value === 0 || value === 0n;
}

function isSame(value: unknown, usual: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (typeof usual === "boolean")
    return (
      usual === (typeof value === "string" ? value !== "false" && value !== "0" : Boolean(value))
    );
  return text(value) === text(usual);
}
