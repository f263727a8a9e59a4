import assert from "node:assert/strict";
import { test } from "node:test";

import { visibleText } from "./visible-text.ts";

for (const { name, text, shown } of [
  { name: "a direction override", text: "good\u202Egnp.exe", shown: "goodgnp.exe" },
  { name: "an isolate", text: "\u2066a\u2067b\u2069", shown: "ab" },
  { name: "marks of direction", text: "\u200Ea\u200F\u061C", shown: "a" },
  { name: "what has no width", text: "a\u200B\u200C\u200D\u2060\uFEFFb", shown: "ab" },
  { name: "control characters", text: "a\0\u0007\u001B[31m\u009Bb", shown: "a[31mb" },
  { name: "lines and tabs", text: "a\n\tb", shown: "a\n\tb" },
  { name: "letters of any script", text: "שלום äöü 🙂", shown: "שלום äöü 🙂" },
]) {
  // guard: directions of text on pages
  test(`the dashboard shows ${name} as ${JSON.stringify(shown)}`, () => {
    assert.equal(visibleText(text), shown);
  });
}
