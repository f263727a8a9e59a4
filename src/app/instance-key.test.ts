import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Secret } from "../kit/crypto/secret.ts";
import { loadInstanceKey } from "./instance-key.ts";

function inFolder(look: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-"));
  look(folder);
  rmSync(folder, { recursive: true });
}

test("a key is made once, for the owner of the folder alone", () => {
  inFolder((folder) => {
    const key = loadInstanceKey(join(folder, "data"), undefined);
    assert.equal(key.length, 32);
    assert.equal(statSync(join(folder, "data/instance.key")).mode & 0o777, 0o600);
    assert.deepEqual(loadInstanceKey(join(folder, "data"), undefined), key);
  });
});

test("a key that is given is used, in hex or base64, and none is written", () => {
  inFolder((folder) => {
    const key = Buffer.alloc(32, 7);
    for (const text of [key.toString("hex"), key.toString("base64")]) {
      assert.deepEqual(Buffer.from(loadInstanceKey(folder, new Secret(text))), key);
    }
    assert.throws(() => statSync(join(folder, "instance.key")), { code: "ENOENT" });
  });
});

test("a key of another size is refused, and the sentence does not show it", () => {
  inFolder((folder) => {
    assert.throws(() => loadInstanceKey(folder, new Secret("hunter2")), {
      code: "invalid_input",
      message: "WATCHPOST_INSTANCE_KEY: must be 32 bytes in hex or base64",
    });
    writeFileSync(join(folder, "instance.key"), "");
    assert.throws(() => loadInstanceKey(folder, undefined), /instance\.key: must be 32 bytes/);
  });
});
