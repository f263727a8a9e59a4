import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { aCheck, alice, anAlert } from "../../../../test/record-builders.ts";
import { tempStore, type TempStore } from "../../../../test/stores/temp-store.ts";

async function storeWithSent(): Promise<TempStore> {
  const store = await tempStore();
  await store.write(async ({ accounts, checks, alerts }) => {
    await accounts.insert(alice);
    await alerts.insert(anAlert("alert", await checks.insert(aCheck("check"))));
    await alerts.setRendered("alert", {
      kind: "down",
      to: "https://hooks.example/hunter",
      from: "Watchpost",
      subject: "DOWN: check",
      body: "",
      network: "webhook",
    });
  });
  return store;
}

async function sentTo(store: TempStore): Promise<string | undefined> {
  const query = { checkId: undefined, from: 0, limit: 1, dropped: true };
  const [sent] = await store.alerts.listNotifications({ ...query, accountIds: [alice.id] });
  return sent?.to;
}

test("no file of the store shows where an alert was sent to, and its notification does", async () => {
  await using store = await storeWithSent();
  const files = await readdir(store.directory);
  const contents = await Promise.all(files.map((file) => readFile(join(store.directory, file))));
  const shows = (text: string): boolean => contents.some((bytes) => bytes.includes(text));
  assert.deepEqual([shows("DOWN: check"), shows("hunter")], [true, false]);
  assert.equal(await sentTo(store), "https://hooks.example/hunter");
});
