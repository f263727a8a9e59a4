import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import type { JsonSchema } from "../src/schema/field.ts";
import { createApiFixture } from "./api-fixture.ts";
import { everyParameter, schemaOf } from "./hostile-inputs/every-parameter.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** Where a value that the schema allows may be of any size: text without a length, a list or an object without a number of entries. */
function unbounded(schema: JsonSchema, path: string): readonly string[] {
  const { type, enum: words, anyOf, maxLength, maxItems, maxProperties, minimum } = schema;
  if (words !== undefined) return [];
  if (anyOf !== undefined) return anyOf.flatMap((each: Schema) => unbounded(each, path));
  const types = new Set([type].flat());
  const structured = types.has("array") || types.has("object");
  const isNumber = minimum !== undefined;
  const members = Object.entries(schema.properties ?? {});
  return [
    ...(types.has(undefined) ? [`${path}: any value`] : []),
    ...(types.has("string") && !structured && !isNumber && maxLength === undefined
      ? [`${path}: text without a length`]
      : []),
    ...(types.has("array") && maxItems === undefined ? [`${path}: a list without a length`] : []),
    ...(types.has("object") && members.length === 0 && maxProperties === undefined
      ? [`${path}: an object without a number of members`]
      : []),
    ...[schema.items, schema.additionalProperties].flatMap((each) =>
      typeof each === "object" && !Array.isArray(each) ? unbounded(each, `${path}[]`) : [],
    ),
    ...members.flatMap(([name, member]) =>
      typeof member === "object" ? unbounded(member, `${path}.${name}`) : [],
    ),
  ];
}

test("every parameter has a largest size: of text, of a list, of an object", async () => {
  await using cast = await createApiFixture();
  const parameters = everyParameter(cast);
  assert.ok(parameters.length > 200);
  assert.deepEqual(
    parameters.flatMap(({ path, parameter }) => unbounded(schemaOf(parameter), path)),
    [],
  );
});

// guard: size of parameters
test("no parameter takes a text that is longer than it says", async () => {
  await using cast = await createApiFixture();
  for (const { path, parameter } of everyParameter(cast)) {
    const { maxLength = 1_048_576 } = schemaOf(parameter);
    for (const text of ["a", " ", "1", ","]) {
      // One parameter reads as empty what it does not take, for its own message.
      const { data = "" } = z.safeParse(parameter, text.repeat(maxLength + 1));
      assert.equal(data, "", `${path}: ${JSON.stringify(text)}`);
    }
  }
});

const planted: readonly { readonly schema: JsonSchema; readonly fault: string }[] = [
  { schema: { type: "string" }, fault: "p: text without a length" },
  { schema: { type: "array", items: { type: "boolean" } }, fault: "p: a list without a length" },
  { schema: { type: "object" }, fault: "p: an object without a number of members" },
  { schema: {}, fault: "p: any value" },
  {
    schema: { type: "array", maxItems: 1, items: { type: "string" } },
    fault: "p[]: text without a length",
  },
  {
    schema: { type: "object", properties: { a: { type: ["string", "boolean"] } } },
    fault: "p.a: text without a length",
  },
];

for (const { schema, fault } of planted) {
  test(`a parameter as ${JSON.stringify(schema)} is found`, () => {
    assert.deepEqual(unbounded(schema, "p"), [fault]);
  });
}
