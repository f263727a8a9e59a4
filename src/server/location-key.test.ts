import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Secret } from "../kit/crypto/secret.ts";
import { loadInstanceKey } from "./instance-key.ts";
import { localLocationKey } from "./location-key.ts";

const nam = { generation: 1, region: "nam" } as const;

test("the key of a location comes from the instance key of the settings, and no instance key is made for it", () => {
  const directory = mkdtempSync(join(tmpdir(), "watchpost-location-key-"));
  try {
    const settings = {
      WATCHPOST_DATA: directory,
      WATCHPOST_INSTANCE_KEY: undefined,
      WATCHPOST_DATABASE_URL: undefined,
    };
    assert.throws(() => localLocationKey(settings, "ny", nam), { code: "not_found" });
    assert.deepEqual(readdirSync(directory), []);
    const instance = Buffer.from(loadInstanceKey(settings)).toString("hex");
    const found = localLocationKey(settings, "ny", nam);
    const elsewhere = {
      ...settings,
      WATCHPOST_DATA: "/nowhere",
      WATCHPOST_INSTANCE_KEY: new Secret(instance),
    };
    assert.equal(localLocationKey(elsewhere, "ny", nam), found);
    assert.notEqual(localLocationKey(settings, "ny", { ...nam, generation: 2 }), found);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
