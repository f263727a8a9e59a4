import assert from "node:assert/strict";
import { test } from "node:test";

import { flagJsonSchema } from "../../kit/flag.ts";
import type { JsonSchema } from "../../schema/field.ts";
import { canonicalForm } from "./canonical-form.ts";

const rows: readonly { readonly name: string; readonly form: JsonSchema; readonly is: object }[] = [
  { name: "a switch is a boolean", form: flagJsonSchema, is: { type: "boolean" } },
  {
    name: "a number may be the text of one",
    form: { type: ["integer", "string"], minimum: 1, pattern: "^\\d+$" },
    is: { type: ["integer", "string"], minimum: 1, pattern: "^\\d+$" },
  },
  {
    name: "a list is no text",
    form: { type: ["array", "string", "boolean"], maxItems: 3, items: { type: "string" } },
    is: { type: "array", maxItems: 3, items: { type: "string" } },
  },
  {
    name: "what may be a text or a list stays both",
    form: { type: ["string", "array"], maxLength: 9, items: { type: "string" } },
    is: { type: ["string", "array"], maxLength: 9, items: { type: "string" } },
  },
  {
    name: "what may be an object, or its text, stays both",
    form: { type: ["object", "array", "string"] },
    is: { type: ["object", "array", "string"], items: {} },
  },
  {
    name: "a text is no switch",
    form: { type: ["string", "boolean"], maxLength: 5 },
    is: { type: "string", maxLength: 5 },
  },
  {
    name: "a zone by number or name stays both",
    form: { type: ["number", "string"], minimum: -12 },
    is: { type: ["number", "string"], minimum: -12 },
  },
  {
    name: "members and alternatives are too, each once",
    form: {
      type: "object",
      properties: { on: flagJsonSchema },
      additionalProperties: { anyOf: [flagJsonSchema, { type: "boolean" }] },
    },
    is: {
      type: "object",
      properties: { on: { type: "boolean" } },
      additionalProperties: { anyOf: [{ type: "boolean" }] },
    },
  },
];

for (const { name, form, is } of rows)
  test(name, () => {
    assert.deepEqual(canonicalForm(form), is);
  });
