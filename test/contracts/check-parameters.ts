import assert from "node:assert/strict";
import test from "node:test";

import type { CheckType } from "../../src/checks/check-type.ts";

type Values = Readonly<Record<string, unknown>>;

/** Parameters as clients send them, and as the type reads them: as JSON, without what is not there. */
export interface ParameterSamples {
  readonly least: Values;
  readonly leastReads: Values;
  /** Every parameter, some of them in their less usual forms. */
  readonly full: Values;
  readonly fullReads: Values;
}

/** How every check type reads its parameters. */
export function checkParametersContract(
  { type, schema, assigned }: Pick<CheckType, "type" | "schema" | "assigned">,
  { least, leastReads, full, fullReads }: ParameterSamples,
): void {
  test(`${type} accepts its required parameters alone`, () => {
    assert.deepEqual(asJson(schema.parse(least)), leastReads);
  });

  test(`${type} accepts all its parameters`, () => {
    assert.deepEqual(
      Object.keys(full).toSorted(),
      Object.keys(schema.shape)
        .filter((name) => !assigned.includes(name))
        .toSorted(),
    );
    assert.deepEqual(asJson(schema.parse(full)), fullReads);
  });

  test(`${type} reads an empty parameter as one that was not sent`, () => {
    const optional = Object.entries(schema.shape).filter(
      ([, parameter]) => parameter.safeParse("").success,
    );
    const empty = Object.fromEntries(optional.map(([name]) => [name, ""]));
    assert.deepEqual(asJson(schema.parse({ ...least, ...empty })), leastReads);
  });
}

/** Without the members that are undefined. */
export function asJson(parsed: unknown): unknown {
  return JSON.parse(JSON.stringify(parsed));
}
