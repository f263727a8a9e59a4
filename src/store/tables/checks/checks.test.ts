import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { createSealer } from "../../../kit/crypto/seal.ts";
import { aCheck, alice } from "../../../../test/record-builders.ts";
import { tempStore } from "../../../../test/stores/temp-store.ts";

// guard: checks at rest
test("no file of the store shows a check's parameters or its target", async () => {
  await using store = await tempStore();
  const parameters = {
    target: "http://user:hunter-one@hunter.example.net/?key=hunter-four",
    password: "hunter-two",
    checktoken: "hunter-three",
  };
  await store.write(async ({ accounts, checks }) => {
    await accounts.insert(alice);
    const check = await checks.insert(aCheck("check", { label: "shown", parameters }));
    await checks.update(
      { ...check, parameters: { ...parameters, port: 8080 }, revision: 2 },
      check.createdAt,
    );
  });
  const files = await readdir(store.directory);
  const contents = await Promise.all(files.map((file) => readFile(join(store.directory, file))));
  assert.equal(
    contents.some((bytes) => bytes.includes("shown")),
    true,
  );
  assert.equal(
    contents.some((bytes) => bytes.includes("hunter")),
    false,
  );
});

test("parameters are opened only for the rows that are mapped", async () => {
  let opened = 0;
  const sealer = createSealer(new Uint8Array(32));
  const counting = {
    ...sealer,
    open(sealed: Uint8Array) {
      opened += 1;
      return sealer.open(sealed);
    },
  };
  await using store = await tempStore({ sealer: counting });
  await store.write(async ({ accounts, checks }) => {
    await accounts.insert(alice);
    for (const id of ["one", "two", "three"]) await checks.insert(aCheck(id));
    await checks.disableAll(alice.id, true, 0);
    await checks.disableAll(alice.id, false, 0);
  });
  await store.checks.listActiveNumbers(alice.id);
  await store.states.listCurrentEvents(alice.id);
  await store.accounts.listWithSubaccounts(alice.id);
  assert.equal(opened, 0);
  await store.checks.find(alice.id, "two");
  assert.equal(opened, 1);
});

test("what results repeat of a check is written only when it changed", async () => {
  await using store = await tempStore();
  await store.write(async ({ accounts, checks }) => {
    await accounts.insert(alice);
    const check = await checks.insert(aCheck("check"));
    const at = check.createdAt;
    const parameters = { ...check.parameters, password: "new" };
    await checks.update({ ...check, parameters, rechecks: 5, label: "new", runRevision: 2 }, at);
    await checks.update({ ...check, timeoutSeconds: 6, runRevision: 3 }, at);
    await checks.update({ ...check, timeoutSeconds: 6, intervalMinutes: 2, runRevision: 4 }, at);
  });
  using database = new DatabaseSync(join(store.directory, "watchpost.db"), { readOnly: true });
  const rows = database.prepare("SELECT revision FROM check_revisions ORDER BY revision").all();
  assert.deepEqual(
    rows.map(({ revision }) => revision),
    [1, 3, 4],
  );
});

// guard: pages of checks by size
test("a page of a list has as many checks as are read in a short time, however large they are", async () => {
  await using store = await tempStore();
  const postdata = "a".repeat(60_000);
  await store.write(async ({ accounts, checks }) => {
    await accounts.insert(alice);
    for (let count = 0; count < 60; count += 1) await checks.insert(aCheck(`small-${count}`));
    for (let count = 0; count < 60; count += 1)
      await checks.insert(aCheck(`large-${count}`, { parameters: { postdata } }));
  });
  const lengthsOf = async (pages: AsyncIterable<readonly unknown[]>): Promise<readonly number[]> =>
    (await Array.fromAsync(pages)).map(({ length }) => length);
  for (const pages of [store.checks.list(alice.id), store.checks.listActive()]) {
    const lengths = await lengthsOf(pages);
    assert.deepEqual(lengths.slice(0, 3), [8, 16, 32]);
    assert.equal(
      lengths.reduce((sum, length) => sum + length),
      120,
    );
    assert.ok(
      lengths.slice(4).every((length) => length <= 10),
      lengths.join(),
    );
  }
});
