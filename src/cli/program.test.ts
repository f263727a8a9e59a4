import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../test/api-fixture.ts";
import { commandLine, type CommandResult } from "../../test/command-line.ts";
import { drainEventLoop } from "../../test/time/fake-clock.ts";
import { InvalidInput } from "../kit/errors.ts";
import type { CommandContext } from "./command-context.ts";

const commands = [
  "backup",
  "restore",
  "token create",
  "token list",
  "token revoke",
  "check add",
  "check alerts",
  "check list",
  "check show",
  "contact list",
  "contact test",
  "export",
  "apply",
  "plan",
  "location create",
  "nats-user create",
  "probe",
];

for (const command of commands) {
  test(`the help of ${command} says what it is for, and gives an example`, async () => {
    await using cast = await createApiFixture();
    const { code, out, err } = await commandLine(cast, undefined)(`${command} --help`);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, new RegExp(`^Usage: watchpost ${command} `));
    assert.match(out, new RegExp(`\nExamples?:\n  \\$ .*\\./watchpost ${command}`));
  });
}

test("the help names every command and how to begin", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  const groups = ["token", "check", "contact", "location", "nats-user"];
  const helps = ["--help", ...groups.map((group) => `${group} --help`)];
  const whole = await Promise.all(helps.map((help) => run(help)));
  const text = whole.map(({ out }) => out).join("");
  for (const command of commands)
    assert.match(text, new RegExp(`^  ${command.split(" ").at(-1)} `, "m"));
  assert.match(text, /--empty/, "src/main.ts handles it");
  assert.match(text, /WATCHPOST_TOKEN=\$\(\.\/watchpost token create\)/);
});

test("the version is that of the package", async () => {
  await using cast = await createApiFixture();
  assert.deepEqual(await commandLine(cast, undefined)("--version"), {
    code: 0,
    out: "1.2.3\n",
    err: "",
  });
});

for (const line of ["chekc", "check", "check lits", "--verbose", "apply"]) {
  test(`${line} is not understood`, async () => {
    await using cast = await createApiFixture();
    const { code, out, err } = await commandLine(cast, undefined)(line);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /--help/);
  });
}

interface Trouble {
  readonly name: string;
  readonly token?: string;
  readonly args?: readonly string[];
  readonly fetch?: () => Promise<Response>;
  readonly said: RegExp;
}

const troubles: readonly Trouble[] = [
  { name: "no token", said: /^no token: .*`\.\/watchpost token create` creates one\n$/ },
  {
    name: "a token that nobody knows",
    token: "no-token-of-anybody",
    said: /^Token not found: .*`\.\/watchpost token create` creates one\n$/,
  },
  {
    name: "an installation that is not there",
    token: "token",
    fetch: () => fetch("http://127.0.0.1:1/"),
    said: /^cannot reach http:\/\/watchpost\.example\/api\/1: /,
  },
  {
    name: "an address that is none",
    token: "token",
    args: ["--url", "nonsense"],
    fetch: () => fetch("nonsense/api/1"),
    said: /^"nonsense" is not the URL of an installation, such as https:\/\/watchpost\.example\.com\n$/,
  },
  {
    name: "something else at that address",
    token: "token",
    fetch: async () => new Response("<html>", { status: 502 }),
    said: /responded with 502 and no JSON: is it a Watchpost installation\?\n$/,
  },
  {
    name: "an installation that has moved",
    token: "token",
    fetch: async () =>
      new Response(null, { status: 301, headers: { location: "https://new.example/" } }),
    said: /is at another address: https:\/\/new\.example\/\n$/,
  },
  {
    name: "an error with the status of a success, as legacy mode has it",
    token: "token",
    fetch: async () => new Response('{"error":"Some sentence."}'),
    said: /^Some sentence\.\n$/,
  },
  {
    name: "an error that quotes control characters",
    token: "token",
    fetch: async () => Response.json({ error: "no \u001b[31mred" }, { status: 400 }),
    said: /^no {2}\[31mred\n$/,
  },
  {
    name: "an answer of another version",
    token: "token",
    fetch: async () => new Response('{"ID":7}'),
    said: /^the response has a format that this version does not know\n$/,
  },
];

for (const { name, token, args = [], fetch, said } of troubles) {
  test(`${name} ends in a sentence`, async () => {
    await using cast = await createApiFixture();
    const overrides = fetch === undefined ? {} : { fetch };
    const ran = await commandLine(cast, token, overrides)("check list", ...args);
    assert.deepEqual([ran.code, ran.out], [1, ""]);
    assert.match(ran.err, said);
    assert.doesNotMatch(ran.err, /\n +at /);
  });
}

test("settings that cannot be used matter only to a command that needs them", async () => {
  await using cast = await createApiFixture();
  const settings = (): never => {
    throw new InvalidInput("WATCHPOST_LISTEN: must be an address");
  };
  const run = commandLine(cast, undefined, { settings });
  assert.deepEqual(await run("check list"), {
    code: 1,
    out: "",
    err: "WATCHPOST_LISTEN: must be an address\n",
  });
  const elsewhere = ["--url", "http://watchpost.example", "--token", cast.alice.token];
  assert.equal((await run("check list", ...elsewhere)).code, 0);
});

const tooMany = (): Response =>
  new Response('{"error":"more than 1 requests a minute"}', {
    status: 429,
    headers: { "retry-after": "7" },
  });

/** Runs until the command ends, moving the time on whenever it waits; gives how it ended, and after what time. */
async function waitedFor(
  cast: ApiFixture,
  fetch: CommandContext["fetch"],
): Promise<{ readonly ran: CommandResult; readonly ms: number }> {
  const before = cast.clock.monotonic();
  let ran: CommandResult | undefined;
  void commandLine(cast, "token", { fetch })("check list").then((ended) => (ran = ended));
  while (ran === undefined) {
    await drainEventLoop();
    if (cast.clock.pending() > 0) await cast.clock.advance(1000);
  }
  return { ran, ms: cast.clock.monotonic() - before };
}

test("a call that comes too soon is made again when its time has come, and not for ever", async () => {
  await using cast = await createApiFixture();
  const answers = [tooMany(), tooMany(), new Response("{}")];
  const patient = await waitedFor(cast, async () => answers.shift() ?? tooMany());
  assert.deepEqual([patient.ran.code, patient.ms], [0, 14_000]);
  assert.match(patient.ran.err, /continuing in 7 s\.$/m);
  const refused = await waitedFor(cast, async () => tooMany());
  assert.deepEqual([refused.ran.code, refused.ms], [1, 35_000]);
});

test("an installation that never answers is given up", async () => {
  await using cast = await createApiFixture();
  const { ran, ms } = await waitedFor(
    cast,
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  );
  assert.deepEqual([ran.code, ms], [1, 60_000]);
  assert.match(ran.err, /^cannot reach http:\/\/watchpost\.example\/api\/1: no answer in 60 s\n$/);
});

for (const { line, usage } of [
  { line: "help", usage: "watchpost [options] [command]" },
  { line: "help check", usage: "watchpost check [options] [command]" },
  { line: "help check add", usage: "watchpost check add [options]" },
  { line: "help backup", usage: "watchpost backup [options] [command] [folder]" },
  { line: "help restore", usage: "watchpost restore [options] <backup>" },
])
  test(`${line} shows the help of just that`, async () => {
    await using cast = await createApiFixture();
    const { code, out, err } = await commandLine(cast, undefined)(line);
    assert.deepEqual([code, err], [0, ""]);
    assert.ok(out.startsWith(`Usage: ${usage}\n`), out);
  });

for (const { line, said } of [
  {
    line: "apply -f /nowhere/x.json",
    said: /^cannot read "\/nowhere\/x\.json": there is no such /,
  },
  {
    line: "plan -f /proc/self/fdinfo",
    said: /^no file with the ending \.yaml, \.yml or \.json in /,
  },
  {
    line: "export --output /nowhere/x.json",
    said: /^cannot write "\/nowhere\/x\.json": there is no such file or folder\n$/,
  },
  {
    line: "nats-user create --output /nowhere/x.env",
    said: /^cannot write "\/nowhere\/x\.env": there is no such file or folder\n$/,
  },
])
  test(`a file that cannot be used is a sentence: ${line}`, async () => {
    await using cast = await createApiFixture();
    const { code, out, err } = await commandLine(cast, cast.alice.token)(line);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, said);
  });
