import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../../test/api-fixture.ts";
import { commandLine, type CommandLine } from "../../../test/command-line.ts";
import type { CommandContext } from "../command-context.ts";
import { noTerminal } from "../output/terminal.ts";

interface Home extends Disposable {
  readonly folder: string;
  /** The command line of a user who types a token, and has none in the settings. */
  readonly typing: (token: string, overrides?: Partial<CommandContext>) => CommandLine;
}

function homeOf(cast: ApiFixture): Home {
  const root = mkdtempSync(join(tmpdir(), "watchpost-home-"));
  const folder = join(root, "watchpost");
  return {
    folder,
    typing: (token, overrides) =>
      commandLine(cast, undefined, {
        configFolder: folder,
        readInput: () => Promise.resolve(`${token}\n`),
        ...overrides,
      }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}

test("whoever has logged in needs neither URL nor token, and the file is theirs alone", async () => {
  await using cast = await createApiFixture();
  using home = homeOf(cast);
  const run = home.typing(cast.alice.token);
  const { code, out } = await run("login https://one.example/ --name one");
  assert.deepEqual([code, out.includes(cast.alice.token)], [0, false]);
  const file = join(home.folder, "contexts.json");
  assert.deepEqual(
    [statSync(file).mode & 0o777, statSync(home.folder).mode & 0o777],
    [0o600, 0o700],
  );
  const who = await run("whoami");
  assert.match(who.out, /^installation +https:\/\/one\.example$/m);
  assert.match(who.out, /^time zone +GMT(?:[+-]\d+)?$/m);
  await home.typing(cast.carol.token)("login two.example");
  const list = await run("context list");
  assert.match(list.out, /^one +https:\/\/one\.example$/m);
  assert.match(list.out, /^two\.example +https:\/\/two\.example +current$/m);
  assert.ok(!list.out.includes(cast.alice.token));
  const asked = JSON.parse((await run("whoami --json --context one")).out);
  assert.equal(asked.customer_id, cast.alice.account.id);
  assert.equal((await run("context use one")).code, 0);
  assert.equal(JSON.parse((await run("whoami --json")).out).customer_id, cast.alice.account.id);
  assert.equal((await run("context remove one")).code, 0);
  assert.ok(!readFileSync(file, "utf8").includes(cast.alice.token));
  assert.match((await run("whoami")).err, /^no token: /);
});

test("a token that nobody knows is not kept", async () => {
  await using cast = await createApiFixture();
  using home = homeOf(cast);
  const { code, err } = await home.typing("nobody")("login https://one.example");
  assert.equal(code, 1);
  assert.match(err, /^Token not found/);
  assert.equal((await home.typing("")("login https://one.example")).code, 1);
  assert.equal((await home.typing("")("context list --json")).out, "[]\n");
});

test("a token is asked for without being shown where somebody is there", async () => {
  await using cast = await createApiFixture();
  using home = homeOf(cast);
  const asked: unknown[] = [];
  const ask = async (question: unknown) => {
    asked.push(question);
    return cast.alice.token;
  };
  const terminal = { ...noTerminal, columns: 80, ask };
  assert.equal((await home.typing("", { terminal })("login https://one.example")).code, 0);
  assert.deepEqual(asked, [{ text: "API token: ", isSecret: true }]);
});

test("the token of a context goes to no other installation, and options and settings come before it", async () => {
  await using cast = await createApiFixture();
  using home = homeOf(cast);
  const sent: string[] = [];
  const fetch: CommandContext["fetch"] = async (url, { headers }) => {
    sent.push(
      `${new URL(url).host} ${atob(new Headers(headers).get("authorization")?.slice(6) ?? "")}`,
    );
    return Response.json({});
  };
  await home.typing(cast.alice.token)("login https://one.example --name one");
  const run = home.typing("", { fetch });
  assert.match((await run("check list --url https://evil.example")).err, /^no token: /);
  assert.deepEqual(sent, []);
  await run("check list --url https://one.example/");
  await run("check list --url https://evil.example --token given");
  await run("check list");
  const settings = () => ({ url: "https://local.example", token: "local" });
  await home.typing("", { fetch, settings })("check list");
  await home.typing("", { fetch, settings })("check list --context one");
  assert.deepEqual(sent, [
    `one.example ${cast.alice.token}:`,
    "evil.example given:",
    `one.example ${cast.alice.token}:`,
    "local.example local:",
    `one.example ${cast.alice.token}:`,
  ]);
  await run("check list --url https://one.example/api/1/");
  assert.equal(sent.pop(), `one.example ${cast.alice.token}:`);
  for (const url of ["one.example", "ftp://one.example", "https://"])
    assert.equal(
      (await run(`check list --url ${url} --token given`)).err,
      `"${url}" is not the URL of an installation, such as https://watchpost.example.com\n`,
    );
  const both = await run("check list --context one --token x");
  assert.match(both.err, /^--context has a URL and a token/);
  assert.match(
    (await run("check list --context ona")).err,
    /^there is no context "ona"; did you mean "one"\?\n$/,
  );
});

test("a file of contexts that others may read, or that is none, is not used", async () => {
  await using cast = await createApiFixture();
  using home = homeOf(cast);
  const run = home.typing(cast.alice.token);
  await run("login https://one.example");
  chmodSync(join(home.folder, "contexts.json"), 0o644);
  assert.match((await run("whoami")).err, /^others may read .*: chmod 600 it\n$/);
});
