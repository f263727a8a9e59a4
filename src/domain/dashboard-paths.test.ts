import assert from "node:assert/strict";
import { test } from "node:test";

import { localPath } from "./dashboard-paths.ts";

for (const { next, path } of [
  { next: "/checks?state=down#a", path: "/checks?state=down#a" },
  { next: "checks", path: "/checks" },
  { next: "", path: "/" },
  { next: null, path: undefined },
  { next: "https://elsewhere.example.com/", path: undefined },
  { next: "//elsewhere.example.com/", path: undefined },
  { next: "/\\elsewhere.example.com", path: undefined },
  { next: "/.//elsewhere.example.com", path: undefined },
  { next: "javascript:alert(1)", path: undefined },
  { next: "blob:http://here.invalid/checks", path: undefined },
  { next: "/%0d%0aset-cookie:%20a=b", path: "/%0d%0aset-cookie:%20a=b" },
]) {
  test(`who was sent to sign in with ${JSON.stringify(next)} is led to ${path ?? "the overview"}`, () => {
    assert.equal(localPath(next), path);
  });
}
