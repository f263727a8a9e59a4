import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { cpuTimeMs } from "../../test/time/cpu-time.ts";
import { textOf } from "../kit/html.ts";
import { markdown } from "./markdown.ts";

const rows: readonly (readonly [text: string, markup: string])[] = [
  ["", ""],
  ["one\ntwo\n\nthree", "<p>one<br />two</p><p>three</p>"],
  ["## Head", "<h3>Head</h3>"],
  ["- a\n- *b*", "<ul> <li>a</li><li><em>b</em></li> </ul>"],
  ["**a** and `<b>`", "<p><strong>a</strong> and <code>&lt;b&gt;</code></p>"],
  [
    '[x"](https://a.example/?b="c)',
    '<p><a href="https://a.example/?b=&quot;c" rel="nofollow noopener noreferrer">x&quot;</a></p>',
  ],
  ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"],
  ["[x](data:text/html,a)", "<p>[x](data:text/html,a)</p>"],
  ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
  ["good\u202Egnp.exe\u0007", "<p>goodgnp.exe </p>"],
];

for (const [text, markup] of rows) {
  // guard: links of public pages
  test(`${JSON.stringify(text)} becomes ${markup}`, () => {
    assert.equal(textOf(markdown(text)), markup);
  });
}

// guard: markup on public pages
test("no text makes markup but that of the program", () => {
  const allowed =
    /<\/?(?:p|br \/|ul|li|h3|strong|em|code)>|<a href="(?:https?:\/\/|mailto:)[^"<>]*" rel="nofollow noopener noreferrer">|<\/a>/g;
  const alphabet = fc.constantFrom(
    ...Array.from("<>\"'&*`[]()-# \nab"),
    "https://",
    "javascript:",
    "](",
  );
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 60 }), (letters) => {
      const rest = textOf(markdown(letters.join(""))).replaceAll(allowed, "");
      assert.doesNotMatch(rest, /[<>"]/);
    }),
  );
});

for (const letter of ["[", "*", "**", "`", "[a](https://", "- ", "\n", "[a"]) {
  test(`a long text of ${JSON.stringify(letter)} is read in a moment`, () => {
    assert.ok(cpuTimeMs(() => markdown(letter.repeat(10_000))) < 200);
  });
}
