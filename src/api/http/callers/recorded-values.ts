import { isDeepStrictEqual } from "node:util";

import type { AuditedValue, FieldChange } from "../../../domain/account/audit.ts";
import type { RecordedValues } from "../../operation.ts";

/** Characters of a value that are kept. */
const MAX_VALUE_LENGTH = 200;
const MAX_CHANGES = 100;

/** Returns the differences; for fields whose values are not kept, only the fact that they differ. */
export function changesBetween(before: RecordedValues, after: RecordedValues): FieldChange[] {
  const names = new Set(
    [before, after].flatMap(({ kept, compared }) => [
      ...Object.keys(kept),
      ...Object.keys(compared),
    ]),
  );
  return [...names]
    .flatMap((field): FieldChange[] => {
      const [old, now] = [before.kept[field], after.kept[field]];
      if (!isDeepStrictEqual(old, now))
        return [{ field, ...shortened({ before: old, after: now }) }];
      return isDeepStrictEqual(before.compared[field], after.compared[field]) ? [] : [{ field }];
    })
    .slice(0, MAX_CHANGES);
}

function shortened(
  values: Readonly<Record<"before" | "after", AuditedValue | undefined>>,
): Pick<FieldChange, "before" | "after"> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, shortenedValue(value)]],
    ),
  );
}

function shortenedValue(value: AuditedValue): AuditedValue {
  if (typeof value === "string") return shortenedText(value, MAX_VALUE_LENGTH);
  if (typeof value !== "object") return value;
  let left = MAX_VALUE_LENGTH;
  const fitting = value.findIndex((each) => (left -= each.length) < 0);
  return fitting === -1 ? value : [...value.slice(0, fitting), "…"];
}

function shortenedText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
