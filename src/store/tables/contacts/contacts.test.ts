import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { aContact, alice, anAddress } from "../../../../test/record-builders.ts";
import { tempStore, type TempStore } from "../../../../test/stores/temp-store.ts";

const hook = anAddress("hook", {
  kind: "webhook",
  address: "https://hooks.example/hunter-one",
  request: {
    action: "put",
    headers: { Authorization: "Bearer hunter-two" },
    querystrings: { key: "hunter-three" },
    data: { token: "hunter-four" },
  },
});

async function storeWithHook(): Promise<TempStore> {
  const store = await tempStore();
  await store.write(async ({ accounts, contacts }) => {
    await accounts.insert(alice);
    await contacts.insert(aContact("ann", { addresses: [hook] }));
  });
  return store;
}

// guard: addresses at rest
test("no file of the store shows where an address leads or how it is called", async () => {
  await using store = await storeWithHook();
  const files = await readdir(store.directory);
  const contents = await Promise.all(files.map((file) => readFile(join(store.directory, file))));
  const shows = (text: string): boolean => contents.some((bytes) => bytes.includes(text));
  assert.deepEqual([shows("webhook"), shows("hunter")], [true, false]);
});
