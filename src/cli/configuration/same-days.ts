import { isDeepStrictEqual } from "node:util";

import { parseFlag } from "../../kit/flag.ts";
import type { ScheduleEntry } from "./document.ts";

/** Returns whether two schedules mean the same: the API shows `exclude` as 0 or 1, and a file may have any word for it. */
export function hasSameDays(one: ScheduleEntry, other: ScheduleEntry): boolean {
  return isDeepStrictEqual(withParsedExclude(one), withParsedExclude(other));
}

function withParsedExclude(days: ScheduleEntry): object {
  return Object.fromEntries(
    Object.entries(days).map(([day, rule]) => [
      day,
      rule?.exclude === undefined ? rule : { ...rule, exclude: parseFlag(rule.exclude) },
    ]),
  );
}
