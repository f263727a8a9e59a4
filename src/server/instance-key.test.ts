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

const keyOf = (folder: string, key?: Secret, url?: Secret): Uint8Array =>
  loadInstanceKey({
    WATCHPOST_DATA: folder,
    WATCHPOST_INSTANCE_KEY: key,
    WATCHPOST_DATABASE_URL: url,
  });

// guard: the instance key's file
test("a key is made once, for the owner of the folder alone", () => {
  inFolder((folder) => {
    const key = keyOf(join(folder, "data"));
    assert.equal(key.length, 32);
    assert.equal(statSync(join(folder, "data/instance.key")).mode & 0o777, 0o600);
    assert.deepEqual(keyOf(join(folder, "data")), key);
  });
});

test("a key that is missed beside a database is not made anew", () => {
  inFolder((folder) => {
    writeFileSync(join(folder, "watchpost.db"), "");
    assert.throws(() => keyOf(folder), {
      code: "not_found",
      message: /^there is a database in ".*" and no .*instance\.key, without which nothing/,
    });
    assert.throws(() => statSync(join(folder, "instance.key")), { code: "ENOENT" });
    const given = new Secret("ab".repeat(32));
    assert.equal(keyOf(folder, given).length, 32);
  });
});

test("a key that is given is used, in hex or base64, and none is written", () => {
  inFolder((folder) => {
    const key = Buffer.alloc(32, 7);
    for (const text of [key.toString("hex"), key.toString("base64")]) {
      assert.deepEqual(Buffer.from(keyOf(folder, new Secret(text))), key);
    }
    assert.throws(() => statSync(join(folder, "instance.key")), { code: "ENOENT" });
  });
});

test("a key of another size is refused, and the sentence does not show it", () => {
  inFolder((folder) => {
    assert.throws(() => keyOf(folder, new Secret("hunter2")), {
      code: "invalid_input",
      message: "WATCHPOST_INSTANCE_KEY: must be 32 bytes in hex or base64",
    });
    writeFileSync(join(folder, "instance.key"), "");
    assert.throws(() => keyOf(folder), /instance\.key: must be 32 bytes/);
  });
});

test("with a database on a server a key is given or found, and none is made: its other processes would make others", () => {
  inFolder((folder) => {
    const url = new Secret("postgres://db.example.com/watchpost");
    assert.throws(() => keyOf(folder, undefined, url), {
      code: "invalid_input",
      message: /^WATCHPOST_INSTANCE_KEY: required with WATCHPOST_DATABASE_URL/,
    });
    const key = keyOf(folder);
    assert.deepEqual(keyOf(folder, undefined, url), key);
  });
});
