import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../test/api-fixture.ts";
import { commandLine } from "../../test/command-line.ts";

const rows: readonly { words: readonly string[]; values: RegExp }[] = [
  { words: ["stat"], values: /^status status-page$/ },
  { words: ["check", "mu"], values: /^mute$/ },
  { words: ["check", "show", ""], values: /^Home page \d{12}\w+-\w+ \d{12}\w+-\w+$/ },
  { words: ["check", "show", "Home\\ p"], values: /^Home page$/ },
  { words: ["check", "delete", '"Ho'], values: /^Home page$/ },
  { words: ["check", "show", "2"], values: /^(?:\d{12}\w+-\w+ ?){3}$/ },
  { words: ["check", "add", "--type", "HTTPA"], values: /^HTTPADV$/ },
  { words: ["check", "add", "--ta"], values: /^--tags --target$/ },
  { words: ["check", "add", "--dep", "H"], values: /^Home page$/ },
  { words: ["maintenance", "add", "--checklist", "Ho"], values: /^Home page$/ },
  { words: ["contact", "test", ""], values: /^Alice / },
  { words: ["api-token", "add", "--access", ""], values: /^write read$/ },
  { words: ["completion", ""], values: /^bash zsh fish$/ },
  { words: ["check", "add", "--label", ""], values: /^$/ },
  { words: ["check", "list", ""], values: /^$/ },
  { words: ["nonsense", "x"], values: /^$/ },
];

test("what fits is completed: commands, options, choices, and records by label or id", async () => {
  await using cast = await createApiFixture();
  for (const label of ["Home page", "twin", "twin"])
    await cast.ask(cast.alice, "POST /checks", { ...plainCheck, label });
  const run = commandLine(cast, cast.alice.token);
  for (const { words, values } of rows) {
    const { code, out, err } = await run("__complete --", ...words);
    assert.deepEqual([code, err], [0, ""]);
    const found = out.split("\n").map((line) => line.split("\t")[0]);
    assert.match(found.join(" ").trim(), values, words.join(" "));
  }
});

test("what cannot be asked for is not completed, without a word", async () => {
  await using cast = await createApiFixture();
  const nobody = await commandLine(cast, "nobody")("__complete -- check show", "");
  assert.deepEqual(nobody, { code: 0, out: "", err: "" });
});
