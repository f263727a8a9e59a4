import assert from "node:assert/strict";
import { test } from "node:test";

import { mergeBranding } from "./branding.ts";

for (const { name, known, changes, becomes } of [
  { name: "nothing stays nothing", known: undefined, changes: {}, becomes: undefined },
  {
    name: "what is sent is added",
    known: { from: "Shop" },
    changes: { downText: "{label}", welcome: undefined },
    becomes: { from: "Shop", downText: "{label}" },
  },
  {
    name: "what is sent replaces what was",
    known: { from: "Shop", upSubject: "a" },
    changes: { upSubject: "b", from: undefined },
    becomes: { from: "Shop", upSubject: "b" },
  },
  {
    name: "empty text takes one away",
    known: { from: "Shop", upSubject: "a" },
    changes: { upSubject: "" },
    becomes: { from: "Shop" },
  },
  {
    name: "without its last part it is none",
    known: { from: "Shop" },
    changes: { from: "", welcome: "" },
    becomes: undefined,
  },
])
  test(`branding: ${name}`, () => assert.deepEqual(mergeBranding(known, changes), becomes));
