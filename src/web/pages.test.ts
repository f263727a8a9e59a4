import assert from "node:assert/strict";
import { test } from "node:test";

import { pages } from "./pages.ts";

const paths = new Set(pages.map(({ path }) => path));

for (const { path, headers, body } of pages) {
  // guard: scripts of this server alone
  test(`${path} loads nothing from elsewhere`, () => {
    const text = body.toString("utf8");
    const loaded = path.endsWith(".css")
      ? text.matchAll(/(?:url\(|@import)\s*["']?(?!data:)([^"')]+)/g)
      : headers["content-type"]?.startsWith("text/html")
        ? text.matchAll(/<(?:link|script|img)[^>]+(?:href|src)="([^"]+)"/g)
        : [];
    for (const [, address = ""] of loaded) assert.ok(paths.has(address), address);
    const policy = headers["content-security-policy"] ?? "";
    assert.match(policy, /^default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe/);
  });

  // guard: frames
  test(`${path} is framed by no other page, and sends no form`, () => {
    const policy = headers["content-security-policy"]?.split("; ") ?? [];
    for (const directive of ["frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"])
      assert.ok(policy.includes(directive), directive);
  });
}
