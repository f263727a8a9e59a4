import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { createPrivateFolder } from "./private-folder.ts";

test("a folder is made with all above it, for its owner alone, and may be there already", () => {
  const base = mkdtempSync(join(tmpdir(), "watchpost-"));
  const path = join(base, "a/b/c");
  createPrivateFolder(path);
  createPrivateFolder(path);
  assert.equal(statSync(path).mode & 0o777, 0o700);
  rmSync(base, { recursive: true });
});

test("where no folder can be made it says so, and ends", () => {
  assert.throws(() => createPrivateFolder("/proc/watchpost/data"), { code: "ENOENT" });
});
