import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { readRunArguments } from "../../src/cli/run-job.ts";
import { promisify } from "node:util";

import { parse } from "yaml";
import { z } from "zod";

import type { Result } from "../../src/domain/run/result.ts";
import { createApiFixture } from "../api-fixture.ts";
import { commandLine } from "../command-line.ts";
import { root, temporaryFolder, type CheckRecord } from "../e2e/process.ts";
import { documentBlocks } from "../harnesses/document-blocks.ts";
import { heartbeatPath, pushHarness } from "../harnesses/push-harness.ts";
import { minute } from "../record-builders.ts";

const execute = promisify(execFile);
const JOB = "/usr/local/bin/backup";

const CALENDARS = "Calendar expressions";
const blocks = documentBlocks("docs/heartbeats.md");
/** The recipes of the documentation, by how they begin. */
const recipes = blocks.filter(({ heading }) => heading !== CALENDARS);

function recipe(language: string, begins: string): string {
  const found = recipes.filter((one) => one.language === language && one.text.startsWith(begins));
  assert.equal(found.length, 1, `one recipe in ${language} begins with ${begins}`);
  return found[0]?.text ?? "";
}

const linesOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

/** Runs scripts of recipes, whose jobs are stubs, against the real intake. */
async function kitchen() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await pushHarness());
  const folder = stack.use(await temporaryFolder());
  for (const job of ["backup", "restic", "pg_dump"])
    writeFileSync(join(folder.path, job), '#!/bin/sh\necho "of the job"\nexit "$CODE"\n', {
      mode: 0o755,
    });
  symlinkSync(join(root, "watchpost"), join(folder.path, "watchpost"));
  const url = `http://127.0.0.1:${site.port}${heartbeatPath}`;
  const kept = stack.move();
  return {
    folder: folder.path,
    url,
    site,
    /** Runs it where a job ends with that code, and gives the result that this left, and the code of the script. */
    async run(script: string, code: number, variables: Readonly<Record<string, string>> = {}) {
      const before = (await site.results()).length;
      const ended = await execute("/bin/sh", ["-c", script.replaceAll(JOB, "backup")], {
        cwd: folder.path,
        env: {
          PATH: `${folder.path}:${process.env.PATH}`,
          CODE: String(code),
          URL: url,
          WATCHPOST_HEARTBEAT_URL: url,
          ...variables,
        },
      }).then(
        () => 0,
        (error: { readonly code: number }) => error.code,
      );
      const found = (await site.results()).slice(before);
      await site.clock.advance(minute);
      return { ended, results: found.map(shown) };
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

const shown = ({ passed, message }: Result): string => `${passed} ${message}`;
const received = ["true Heartbeat received"];
const exited = (code: number): readonly string[] => [`false The exit code was ${code}`];

suite("recipes of docs/heartbeats.md", { concurrency: true }, () => {
  test("lines of cron", async () => {
    await using here = await kitchen();
    const [quiet = "", withOutput = "", byRun = "", ...others] = linesOf(
      recipe("sh", "# cron"),
    ).map((line) => line.replace(/^0 3 \* \* \* /, ""));
    assert.deepEqual(others, []);
    assert.deepEqual((await here.run(quiet, 0)).results, received);
    assert.deepEqual((await here.run(quiet, 3)).results, [], "silence says that it failed");
    for (const line of [withOutput, byRun.replace("$URL ", `${here.url} `)]) {
      assert.deepEqual((await here.run(line, 0)).results, received, line);
      assert.deepEqual((await here.run(line, 3)).results, exited(3), line);
    }
    assert.equal((await here.run(byRun, 3)).ended, 3, "the exit code stays that of the command");
  });

  test("`watchpost run` reads its address from the variables that the recipes name, and from no other", () => {
    const lines = recipe("sh", "# restic").split("\n");
    const [, command = ""] = /^watchpost run -- (.+)$/m.exec(lines.join("\n")) ?? [];
    const above = lines[lines.indexOf(`watchpost run -- ${command}`) - 1] ?? "";
    const named = above.match(/\b(?:\w+_)?URL\b/g) ?? [];
    assert.ok(named.length > 0, above);
    const address = "https://watchpost.example.com/v1/id/token";
    for (const name of named) {
      const read = readRunArguments(["--", ...command.split(" ")], { [name]: address });
      assert.equal(read?.heartbeat.href, address, name);
    }
  });

  test("a service of systemd, whose job ends, fails, is killed or takes too long", async () => {
    await using here = await kitchen();
    const unit = recipe("ini", "# systemd").replaceAll(JOB, join(here.folder, "backup"));
    const environment = join(here.folder, "backup.env");
    writeFileSync(environment, `URL=${here.url}\n`);
    const file = join(here.folder, "backup.service");
    writeFileSync(file, unit.replace("/etc/backup.env", environment));
    const { stderr } = await execute("systemd-analyze", ["verify", file]);
    assert.doesNotMatch(stderr, /backup\.service/);

    // As systemd does: within a word only ${NAME} is replaced, and $$ is a dollar sign.
    const line = (name: string): string => {
      const [, command = ""] = new RegExp(`^${name}=-?(.*)$`, "m").exec(unit) ?? [];
      assert.doesNotMatch(command.replaceAll("$$", ""), /\$(?!\{URL\})/);
      return command.replaceAll("${URL}", here.url).replaceAll("$$", "$");
    };
    for (const [variables, found] of [
      [{ SERVICE_RESULT: "success", EXIT_CODE: "exited", EXIT_STATUS: "0" }, "true success"],
      [{ SERVICE_RESULT: "success", EXIT_CODE: "exited", EXIT_STATUS: "4" }, "true success"],
      [{ SERVICE_RESULT: "exit-code", EXIT_CODE: "exited", EXIT_STATUS: "3" }, "false exit-code"],
      [{ SERVICE_RESULT: "signal", EXIT_CODE: "killed", EXIT_STATUS: "KILL" }, "false signal"],
      [{ SERVICE_RESULT: "timeout", EXIT_CODE: "killed", EXIT_STATUS: "TERM" }, "false timeout"],
      [{ SERVICE_RESULT: "oom-kill", EXIT_CODE: "killed", EXIT_STATUS: "KILL" }, "false oom-kill"],
      [
        { SERVICE_RESULT: "core-dump", EXIT_CODE: "dumped", EXIT_STATUS: "SEGV" },
        "false core-dump",
      ],
    ] as const) {
      assert.deepEqual(await here.run(line("ExecStartPre"), 0), { ended: 0, results: [] });
      const { ended, results } = await here.run(line("ExecStopPost"), 0, variables);
      assert.deepEqual([ended, results], [0, [found]]);
      const last = (await here.site.results()).at(-1);
      assert.ok((last?.runtimeMs ?? 0) >= minute, "from the start of the service");
      if (variables.EXIT_STATUS === "3") assert.equal(last?.text, "Exit 3");
    }
  });

  test("the container of a CronJob", async () => {
    await using here = await kitchen();
    const { command } = z
      .object({ command: z.tuple([z.literal("sh"), z.literal("-c"), z.string()]) })
      .parse(parse(recipe("yaml", "# Kubernetes")));
    for (const [code, results] of [
      [0, received],
      [3, exited(3)],
    ] as const)
      assert.deepEqual(await here.run(command[2], code), { ended: code, results });
  });

  test("the last steps of a workflow", async () => {
    await using here = await kitchen();
    const steps = z
      .array(z.strictObject({ if: z.string(), run: z.string() }))
      .parse(parse(recipe("yaml", "# GitHub Actions")));
    assert.deepEqual(
      steps.map((step) => step.if),
      ["success()", "failure() || cancelled()"],
    );
    const found = [];
    for (const { run } of steps) {
      const script = run.replaceAll("${{ secrets.HEARTBEAT_URL }}", here.url);
      found.push(...(await here.run(script, 0)).results);
    }
    assert.deepEqual(found, [...received, "false The sender reported a failure"]);
  });

  test("backup tools", async () => {
    await using here = await kitchen();
    const lines = linesOf(recipe("sh", "# restic"));
    assert.equal(lines.length, 2);
    for (const line of lines) {
      assert.deepEqual((await here.run(line, 0)).results, received, line);
      assert.deepEqual((await here.run(line, 3)).results, exited(3), line);
    }
  });

  test("borgmatic", async () => {
    await using here = await kitchen();
    const command = z.strictObject({
      before: z.literal("action").optional(),
      after: z.enum(["action", "error"]).optional(),
      when: z.array(z.literal("create")).optional(),
      states: z.array(z.literal("finish")).optional(),
      run: z.array(z.string()),
    });
    const { commands } = z
      .strictObject({ commands: z.array(command) })
      .parse(parse(recipe("yaml", "# borgmatic")));
    const found = [];
    for (const { run } of commands)
      for (const line of run) found.push((await here.run(line, 0)).results);
    assert.deepEqual(found, [[], received, ["false The sender reported a failure"]]);
  });

  test("every recipe is one of these", () => {
    assert.deepEqual(
      recipes.map(({ text }) => /^# (\w+)/.exec(text)?.[1]),
      ["cron", "systemd", "Kubernetes", "GitHub", "restic", "borgmatic"],
    );
  });
});

test("the command of the document adds a check that expects heartbeats by a calendar", async () => {
  const [block, ...more] = blocks.filter(({ heading }) => heading === CALENDARS);
  assert.deepEqual(more, []);
  const command = block?.text.replace(/^\.\/watchpost/, String.raw`printf '%s\0'`);
  const { stdout } = await execute("/bin/sh", ["-c", String(command)]);
  await using cast = await createApiFixture();
  const [first = "", ...others] = stdout.split("\0").slice(0, -1);
  const added = await commandLine(cast, cast.alice.token)(first, ...others);
  assert.equal(added.code, 0, added.err);
  const { body } = await cast.ask(cast.alice, "GET /checks");
  const [check, ...rest] = Object.values<CheckRecord & { readonly label: string }>(body);
  assert.deepEqual(rest, []);
  const { oncalendar, timezone } = check?.parameters ?? {};
  assert.deepEqual(
    [check?.label, oncalendar, timezone],
    ["Backup", "Mon..Fri 02:30", "Europe/Berlin"],
  );
});
