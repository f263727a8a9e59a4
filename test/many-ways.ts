/** Objects in each other, each under two names: joined by dots, the names of very many ways are the same path, `a.a.a…`. */
export function manyWays(levels: number): object {
  return levels <= 0 ? {} : { a: manyWays(levels - 1), "a.a": manyWays(levels - 2) };
}

/** The maximum number of fields of a check, each with as many paths. */
export const fieldsOfManyWays = Object.fromEntries(
  Array.from({ length: 100 }, (_, no) => [`f${no}`, { name: `${"a.".repeat(120)}${no}` }]),
);
