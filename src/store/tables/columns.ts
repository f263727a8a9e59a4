import { mapFlags, type CheckFlag, type CheckFlags } from "../../domain/check.ts";
import type { Mute } from "../../domain/contact/mute.ts";

export function muteToRow(mute: Mute): number {
  return Number(mute);
}

export function muteFromRow(mute: number): Mute {
  return mute > 1 ? mute : mute === 1;
}

/** A boolean, as a number: the engines' own ones do not read alike. */
export type NumericBoolean = 0 | 1;

export function toFlag(value: boolean): NumericBoolean {
  return value ? 1 : 0;
}

/** The flags of a check, each a column of its name. */
export type CheckFlagColumns = { readonly [Flag in CheckFlag]: NumericBoolean };

export function checkFlagsToRow(check: CheckFlags): CheckFlagColumns {
  return mapFlags((flag) => toFlag(check[flag]));
}

export function checkFlagsFromRow(row: CheckFlagColumns): CheckFlags {
  return mapFlags((flag) => row[flag] === 1);
}
