import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine } from "../../../test/command-line.ts";

test("a token that is made stands alone on standard output, and works", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  const { code, out, err } = await run(
    `token create --label laptop --account ${cast.alice.account.id}`,
  );
  assert.equal(code, 0);
  assert.match(out, /^[0-9A-Z]{8}(-[0-9A-Z]{4}){3}-[0-9A-Z]{12}\n$/);
  assert.match(err, /not shown again/);
  assert.equal((await cast.ask(out.trim(), "GET /accounts")).status, 200);
});

test("the list describes tokens without showing them, as text and as JSON", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  const { out } = await run("token create --account", cast.carol.account.id);
  const text = await run("token list");
  assert.match(
    text.out,
    /^HANDLE +CREATED +ACCOUNT +COMPATIBILITY +ACCESS +USED +EXPIRES +LABEL\n/,
  );
  assert.match(
    text.out,
    /^[0-9a-f]{12}  2026-01-05 12:00:00 GMT  \w+  standard +write +never +never +command line$/m,
  );
  const listed = JSON.parse((await run("token list --json")).out);
  assert.deepEqual(
    listed.map(({ accountName }: { accountName: string }) => accountName).toSorted(),
    ["Alice", "Bob", "Carol", "Carol"],
  );
  for (const output of [text.out, JSON.stringify(listed)])
    for (const token of [out.trim(), cast.alice.token]) assert.ok(!output.includes(token));
});

test("a token for clients of the original service says so in the list", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  await run("token create --legacy --label terraform --account", cast.carol.account.id);
  assert.match((await run("token list")).out, /  legacy +write +never +never +terraform$/m);
});

test("a revoked token ends at once, and only its own", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  const made = await run("token create --label old --account", cast.alice.account.id);
  const handle = /token revoke (\w+)/.exec(made.err)?.[1] ?? "";
  const revoked = await run("token revoke", handle);
  assert.deepEqual(revoked, {
    code: 0,
    out: `Revoked "old" of the account ${cast.alice.account.id}.\n`,
    err: "",
  });
  assert.equal((await cast.ask(made.out.trim(), "GET /accounts")).status, 403);
  assert.equal((await cast.ask(cast.alice, "GET /accounts")).status, 200);
});

const refused: readonly { name: string; args: readonly string[]; code: number; said: RegExp }[] = [
  {
    name: "a handle that nothing has",
    args: ["revoke", "0123"],
    code: 1,
    said: /^handle: no such token "0123"\n$/,
  },
  { name: "no handle", args: ["revoke"], code: 2, said: /missing required argument 'handle'/ },
  {
    name: "several primary accounts and none named",
    args: ["create"],
    code: 1,
    said: /^account: must be one of/,
  },
  { name: "a label that is empty", args: ["create", "--label="], code: 1, said: /^label: must be/ },
];

for (const { name, args, code, said } of refused) {
  test(`tokens: ${name} is refused with a sentence`, async () => {
    await using cast = await createApiFixture();
    const ran = await commandLine(cast, undefined)("token", ...args);
    assert.equal(ran.code, code);
    assert.match(ran.err, said);
    assert.equal(ran.out, "");
  });
}

test("a subaccount gets no token, and the last one of an account goes by force alone", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  const bobs = await run("token create --account", cast.bob.account.id);
  assert.equal(bobs.code, 1);
  assert.match(bobs.err, /^account: a subaccount has no tokens of its own/);
  const listed: readonly { handle: string; accountName: string }[] = JSON.parse(
    (await run("token list --json")).out,
  );
  const handle = listed.find(({ accountName }) => accountName === "Carol")?.handle ?? "";
  assert.equal((await run("token revoke", handle)).code, 1);
  assert.equal((await cast.ask(cast.carol, "GET /accounts")).status, 200);
  assert.equal((await run("token revoke", handle, "--force")).code, 0);
  assert.equal((await cast.ask(cast.carol, "GET /accounts")).status, 403);
});
