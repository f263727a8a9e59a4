import assert from "node:assert/strict";
import { test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";

import { checkTypes } from "../../../../checks/registry.ts";
import { shownForm } from "./shown-parameters.ts";
import { storedType, storedValue } from "./stored-value.ts";

/** Values of every JSON type, in clients' notations for switches, numbers, and words. */
const notations = [
  [true, false, "true", "FALSE", "yes", "off", "active", 0, 1, "0", "1", 1.5, "1.5", 30, "30"],
  ["", "a", "TCP", "Aaaa", "ssl", "STARTTLS", "answer", "GET", "example.com", "::1"],
  ["HTTPS://example.com", "wss://example.com/x", "a@example.com", "* * * * *", "@daily"],
  [[], ["a"], {}, { a: "1" }, { a: 1, b: null }, { a: { name: "x", min: "1" } }],
].flat(1);

for (const { type, schema } of checkTypes)
  test(`what a parameter of ${type} may be is what a record may show of it`, () => {
    const ajv = new Ajv2020({ strict: false });
    for (const [name, parameter] of Object.entries(schema.shape)) {
      const isShown = ajv.compile(shownForm(name, parameter));
      const accepted = notations.filter((each) => parameter.safeParse(each).success);
      // Empty text is not stored, nor is false where it means that there is no number.
      const stored = accepted
        .filter((value) => value !== "")
        .filter((value) => value !== false || storedType(name, parameter) !== "integer");
      for (const each of stored)
        assert.ok(isShown(storedValue(name, parameter, each)), `${name}: ${JSON.stringify(each)}`);
    }
  });
