import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { unescapedMarkdown, withoutCode } from "../../../test/unescaped-markdown.ts";
import { codeSpan, escapeMarkdown, markdownLine, escapeTags } from "./markup.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(...Array.from("\\`*_[]()<>&;@#!~|-ab \u200D")) }),
);

test("escaped Markdown holds nothing alive, and says the same", () => {
  fc.assert(
    fc.property(text, (said) => {
      const escaped = escapeMarkdown(said);
      assert.doesNotMatch(escaped, unescapedMarkdown);
      assert.equal(escaped.replaceAll(/\\(.)/g, "$1"), said);
    }),
  );
});

// guard: code spans
test("a code span holds all of a line, and ends where it does", () => {
  fc.assert(
    fc.property(text, (said) => {
      assert.match(codeSpan(said), /^`[^`]*`$/s);
      assert.equal(withoutCode(markdownLine(said, "Check")), "");
    }),
  );
});

test("without tags there are no angle brackets, and every entity is one of ours", () => {
  fc.assert(
    fc.property(text, (said) => assert.doesNotMatch(escapeTags(said), /[<>]|&(?!(amp|lt|gt);)/)),
  );
  assert.equal(escapeTags("<!channel> & &lt;"), "&lt;!channel&gt; &amp; &amp;lt;");
});
