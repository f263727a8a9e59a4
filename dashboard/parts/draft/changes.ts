/** The members that differ from those of before. */
export function changesOf<Values extends object>(
  before: Values,
  after: Partial<Values>,
): Partial<Values> {
  const changes: Partial<Values> = {};
  for (const key in after)
    if (Object.hasOwn(after, key) && !isSame(before[key], after[key])) changes[key] = after[key];
  return changes;
}

/** The same members without some of them. */
export function without<Values extends object>(
  values: Values,
  names: readonly string[],
): Partial<Values> {
  const rest: Partial<Values> = {};
  for (const key in values)
    if (Object.hasOwn(values, key) && !names.includes(key)) rest[key] = values[key];
  return rest;
}

/** A list of texts has no order, a number equals its digits, and a missing value equals empty text. */
function isSame(one: unknown, other: unknown): boolean {
  return written(one) === written(other);
}

function written(value: unknown): string | undefined {
  const known = isTexts(value) ? value.toSorted() : value;
  return JSON.stringify(known, (_, each: unknown) => {
    if (each === "") return undefined;
    return typeof each === "number" ? String(each) : each;
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
