import assert from "node:assert/strict";
import { test } from "node:test";

import { changesOf, without } from "./kept-drafts.ts";

interface Form {
  readonly name: string;
  readonly minutes: number | string;
  readonly members: readonly string[];
  readonly sections: readonly { readonly checks: readonly string[] }[];
  readonly data?: string;
}

const before: Form = {
  name: "Ann",
  minutes: 30,
  members: ["a", "b"],
  sections: [{ checks: ["a", "b"] }],
};

test("only what differs is a change", () => {
  assert.deepEqual(changesOf(before, { name: "Ben", minutes: 30 }), { name: "Ben" });
  assert.deepEqual(changesOf(before, { members: [] }), { members: [] });
  assert.deepEqual(changesOf(before, { data: "x" }), { data: "x" });
});

test("what was changed back is no change", () => {
  assert.deepEqual(
    changesOf(before, { name: "Ann", minutes: "30", members: ["b", "a"], data: "" }),
    {},
  );
});

test("the order of checks in a section is a change", () => {
  const sections = [{ checks: ["b", "a"] }];
  assert.deepEqual(changesOf(before, { sections }), { sections });
});

test("members are left out by name", () => {
  assert.deepEqual(without({ name: "Ann", password: "x" }, ["password"]), { name: "Ann" });
});
