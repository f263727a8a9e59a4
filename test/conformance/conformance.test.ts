import assert from "node:assert/strict";
import { test } from "node:test";

import { rows } from "./rows.ts";
import { sections } from "./sections.ts";
import { testRows } from "./test-rows.ts";

testRows("standard");

test("every row has a test", (context) => {
  const untested = untestedRows(rows, sections);
  context.diagnostic(`rows without a test: ${untested.join(", ") || "none"}`);
  assert.deepEqual(untested, []);
});

test("a row without a test, and a section without any, are found", () => {
  const planted = { "1 first": ["tested", "forgotten"], "2 second": ["forgotten too"] };
  const tests = { "1 first": { tested() {} } };
  assert.deepEqual(untestedRows(planted, tests), ["1 first: forgotten", "2 second: forgotten too"]);
});

function untestedRows(
  all: Readonly<Record<string, readonly string[]>>,
  tests: Readonly<Record<string, object>>,
): readonly string[] {
  return Object.entries(all).flatMap(([section, names]) =>
    names
      .filter((name) => !Object.hasOwn(tests[section] ?? {}, name))
      .map((name) => `${section}: ${name}`),
  );
}
