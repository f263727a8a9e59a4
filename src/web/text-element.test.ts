import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { pages } from "./pages.ts";

for (const { name, text, shown } of [
  { name: "a direction override", text: "good\u202Egnp.exe", shown: "goodgnp.exe" },
  { name: "an isolate", text: "\u2066a\u2067b\u2069", shown: "ab" },
  { name: "marks of direction", text: "\u200Ea\u200F\u061C", shown: "a" },
  { name: "what has no width", text: "a\u200B\u200C\u200D\u2060\uFEFFb", shown: "ab" },
  { name: "control characters", text: "a\0\u0007\u001B[31m\u009Bb", shown: "a[31mb" },
  { name: "lines and tabs", text: "a\n\tb", shown: "a\n\tb" },
  { name: "letters of any script", text: "שלום äöü 🙂", shown: "שלום äöü 🙂" },
]) {
  test(`the dashboard shows ${name} as ${JSON.stringify(shown)}`, async () => {
    const { visibleText } = await import(import.meta.resolve("./client/text-element.js"));
    assert.equal(visibleText(text), shown);
  });
}

test("no text reaches a page of the dashboard in another way", () => {
  const scripts = pages.filter(
    ({ path, body }) =>
      path.endsWith(".js") && !path.endsWith("text-element.js") && body.length < 20_000,
  );
  assert.ok(scripts.length >= 5);
  for (const { path, body } of scripts)
    assert.doesNotMatch(
      body.toString("utf8"),
      /textContent|innerText|innerHTML|outerHTML|insertAdjacent|createTextNode|document\.write/,
      path,
    );
});

test("text of one direction does not turn the text beside it", () => {
  const style = readFileSync(new URL("client/dashboard.css", import.meta.url), "utf8");
  assert.match(style, /\.trouble \{\s*unicode-bidi: plaintext;/);
});
