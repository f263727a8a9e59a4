import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { blocksOf } from "../../harnesses/document-blocks.ts";
import { waitFor } from "../../time/wait-for.ts";
import { root, run, start, temporaryFolder } from "../process.ts";

const DOCUMENT = "docs/configuration.md";
const PATH = process.env["PATH"] ?? "";

test("what docs/configuration.md says is done as it says, command by command", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  for (const block of blocksOf(DOCUMENT, "yaml")) {
    const name = /^# ([\w/-]+\.yaml)$/m.exec(block)?.[1] ?? "";
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), block);
  }
  await writeFile(
    join(folder.path, "services/slack-webhook.txt"),
    "https://hooks.slack.com/services/T/B/x\n",
  );
  const settings = {
    PATH,
    WATCHPOST_URL: site.base,
    WATCHPOST_TOKEN: site.token,
    MAIL_PASSWORD: "hunter22",
    TELEGRAM_TOKEN: "123456:hunter22",
  };
  const lines = blocksOf(DOCUMENT, "sh").flatMap((block) => block.trim().split("\n"));
  const commands = [
    ...lines.filter(
      // One that watches runs until it is stopped, and has a test of its own.
      (line) => line.startsWith("./watchpost") && !line.includes("--watch"),
    ),
    "./watchpost plan -f many.yaml -f watchpost.yaml # exit code 3",
  ];
  assert.ok(commands.length > 10);
  for (const line of commands) {
    const code = Number(/# exit code (\d)/.exec(line)?.[1] ?? 0);
    const command = line.replaceAll("./watchpost", join(root, "watchpost"));
    await using program = run(folder.path, settings, ["/bin/bash", "-c", command]);
    const expected = line.includes("--json") ? 0 : code;
    assert.equal(await program.ended, expected, `${line}: ${program.output()} ${program.log()}`);
    assert.doesNotMatch(
      line.includes("--secrets") ? "" : program.output() + program.log(),
      /hunter22|hooks\.slack/,
    );
  }
});

test("an apply that is killed is finished by the next, and nothing is there twice", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  const total = 60;
  const checks = Array.from(
    { length: total },
    (_, at) => `  c${at}: { type: PUSH, interval: ${at + 1} }`,
  );
  await writeFile(join(folder.path, "a.yaml"), `checks:\n${checks.join("\n")}\n`);
  const settings = { PATH, WATCHPOST_URL: site.base, WATCHPOST_TOKEN: site.token };
  const command = [join(root, "watchpost"), "apply", "-f", "a.yaml"];
  const count = async (): Promise<number> => Object.keys(await site.api("GET checks")).length;
  {
    await using killed = run(folder.path, settings, command);
    await waitFor("some checks are made", async () => (await count()) > 5);
    await killed.kill("SIGKILL");
  }
  await using again = run(folder.path, settings, command);
  assert.equal(await again.ended, 0, again.log());
  assert.equal(await count(), total);
  await using third = run(folder.path, settings, command);
  assert.equal(await third.ended, 0);
  assert.match(third.output(), /^No changes\. /m);
});
