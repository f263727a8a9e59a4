import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { emptyDatabase, testServer } from "../stores/postgres-store.ts";
import { root, run, start, temporaryFolder } from "./process.ts";

const server = testServer();

/** Runs the command in a folder, to its end. */
async function copy(
  folder: string,
  { from, to }: { readonly from: string; readonly to: string },
  settings: Readonly<Record<string, string>> = {},
) {
  const line = ["store", "copy", "--from", from, "--to", to];
  await using program = run(folder, settings, [
    process.execPath,
    join(root, "src/main.ts"),
    ...line,
  ]);
  const code = await program.ended;
  return { code, out: program.output(), err: program.log() };
}

test("an installation moves from the embedded database to PostgreSQL and back with its tokens, checks, credentials and results", async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  const url = await emptyDatabase(server());
  const first = await start(folder.path);
  const { token } = first;
  const check = await first.api("POST checks", { type: "PUSH", label: "Backup", enabled: true });
  const { checktoken } = check.parameters;
  assert.equal(await first.push(check._id, checktoken), 200);
  const early = await copy(folder.path, { from: "embedded", to: url });
  assert.equal(early.code, 1);
  assert.match(early.err, /^another watchpost is running on the data folder /);
  await first.kill("SIGTERM");

  const there = await copy(folder.path, { from: "embedded", to: url });
  assert.equal(there.code, 0, there.err);
  assert.match(there.out, /^accounts: 1 the same at both ends\n/);
  assert.match(there.out, /\nresults: 1 the same at both ends\n$/);
  assert.match(there.err, /^The copy is whole\. It has the same instance key, which is in ".*"/);
  const key = (await readFile(join(folder.path, "data", "instance.key"), "utf8")).trim();
  const settings = { WATCHPOST_DATABASE_URL: url, WATCHPOST_INSTANCE_KEY: key };
  const second = await start(other.path, settings, token);
  assert.equal((await second.api(`GET checks/${check._id}`)).label, "Backup");
  assert.equal((await second.api(`GET results/${check._id}`)).length, 1);
  assert.equal(await second.push(check._id, checktoken), 200);
  const back = join(other.path, "back");
  const meanwhile = await copy(other.path, { from: "postgresql", to: back }, settings);
  assert.equal(meanwhile.code, 1);
  assert.match(meanwhile.err, /^a service runs on the source: stop every process of it first/);
  await second.kill("SIGTERM");

  const moved = await copy(other.path, { from: "postgresql", to: back }, settings);
  assert.equal(moved.code, 0, moved.err);
  assert.match(moved.out, /\nresults: 2 the same at both ends\n$/);
  const third = await start(
    other.path,
    { WATCHPOST_DATA: back, WATCHPOST_INSTANCE_KEY: key },
    token,
  );
  assert.equal((await third.api(`GET results/${check._id}`)).length, 2);
  await third.kill("SIGTERM");
});

test("a place that cannot be is refused with a sentence, and nothing is made there", async () => {
  await using folder = await temporaryFolder();
  for (const { from, to, said } of [
    {
      from: "embedded",
      to: "postgresql",
      said: /^--to: postgresql is what WATCHPOST_DATABASE_URL names: set it/,
    },
    {
      from: "nowhere",
      to: "there",
      said: /^--from: there is no nowhere\/watchpost\.db: name the data folder/,
    },
    {
      from: "mysql://db/x",
      to: "there",
      said: /^--from: must be embedded, postgresql, a data folder, or a URL/,
    },
    { from: "there", to: "there", said: /^--to: is the same as --from/ },
  ]) {
    const { code, out, err } = await copy(folder.path, { from, to });
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(err, said);
  }
});
