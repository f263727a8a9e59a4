import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../test/api-fixture.ts";
import { commandLine, type CommandLine } from "../../../test/command-line.ts";
import type { CommandContext } from "../command-context.ts";
import { noTerminal } from "../output/terminal.ts";

const asAlice = (cast: ApiFixture, overrides: Partial<CommandContext> = {}): CommandLine =>
  commandLine(cast, cast.alice.token, overrides);

async function addCheck(cast: ApiFixture, label: string): Promise<string> {
  return (await cast.ask(cast.alice, "POST /checks", { ...plainCheck, label })).body._id;
}

test("records are named by their names where only one has it, and by ids otherwise", async () => {
  await using cast = await createApiFixture();
  const run = asAlice(cast);
  const home = await addCheck(cast, "Home page");
  const twins = [await addCheck(cast, "Twin"), await addCheck(cast, "Twin")];
  assert.match((await run("check show", "home PAGE")).out, new RegExp(`^id +${home}$`, "m"));
  const ambiguous = await run("check show", "Twin");
  assert.deepEqual([ambiguous.code, ambiguous.out], [1, ""]);
  assert.match(ambiguous.err, /^2 records are named "Twin": /);
  for (const twin of twins) assert.ok(ambiguous.err.includes(twin));
  const close = await run("check show", "Hone page");
  assert.equal(close.err, 'there is no check "Hone page"; did you mean "Home page"?\n');
  const far = await run("check edit", "nothing", "--label", "x");
  assert.deepEqual([far.code, far.err], [1, 'there is no check "nothing"\n']);
});

test("names stand for ids in parameters too, and for recipients of every kind", async () => {
  await using cast = await createApiFixture();
  const run = asAlice(cast);
  const [home, router] = [await addCheck(cast, "Home"), await addCheck(cast, "Router")];
  const group = (await run("group add --name Ops --members Alice")).out.trim();
  const edited = await run(
    "check edit Home --dep Router --notify Ops=Days:5 --notify alice@example.com",
  );
  assert.deepEqual([edited.code, edited.err], [0, ""]);
  const { body } = await cast.ask(cast.alice, `GET /checks/${home}`);
  const [address] = cast.alice.contact.addresses;
  assert.deepEqual(
    [body.dep, body.notifications.flatMap((each: object) => Object.keys(each))],
    [router, [group, address?.id]],
  );
  assert.match((await run("group show Ops")).out, new RegExp(cast.alice.contact.id));
});

test("what is lost is asked for: by a person, or --yes", async () => {
  await using cast = await createApiFixture();
  const home = await addCheck(cast, "Home");
  const refused = await asAlice(cast)("check delete Home");
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(refused.err, /There is no terminal to ask at: add --yes to do it\n$/);
  const questions: string[] = [];
  const answering = (answer: string): CommandLine =>
    asAlice(cast, {
      terminal: {
        ...noTerminal,
        columns: 80,
        ask: async ({ text }) => {
          questions.push(text);
          return answer;
        },
      },
    });
  assert.equal((await answering("n")("check delete Home")).err, "nothing was done\n");
  assert.equal((await answering("")("check disable-all")).err, "nothing was done\n");
  assert.equal((await asAlice(cast)("check show Home")).code, 0);
  assert.deepEqual(await answering("y")("check delete Home"), {
    code: 0,
    out: `${home} deleted\n`,
    err: "",
  });
  assert.deepEqual(questions, [
    'check delete "Home": are you sure? [y/N] ',
    "check disable-all: are you sure? [y/N] ",
    'check delete "Home": are you sure? [y/N] ',
  ]);
});

test("several records are deleted at once, and checks are switched and muted by name", async () => {
  await using cast = await createApiFixture();
  const run = asAlice(cast);
  const ids = [await addCheck(cast, "One"), await addCheck(cast, "Two")];
  const muted = await run("check mute One Two --for 2h");
  assert.match(
    muted.out,
    /^(?:\S+ muted until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\n){2}$/,
    muted.err,
  );
  const { body } = await cast.ask(cast.alice, `GET /checks/${ids[1]}`);
  assert.equal(body.mute, cast.clock.now() + 7_200_000);
  await run("check enable One Two");
  await run("check unmute One");
  const listed = (await cast.ask(cast.alice, "GET /checks")).body;
  assert.deepEqual(
    ids.map((id) => [listed[id].enabled, listed[id].mute === false]),
    [
      ["active", true],
      ["active", false],
    ],
  );
  assert.equal((await run("check disable-all --yes")).code, 0);
  assert.match((await run("check list")).out, /disabled.*\n.*disabled/);
  assert.equal((await run("check mute One --for soon")).code, 2);
  assert.equal((await run("check delete One Two --yes")).code, 0);
  assert.equal((await run("check list --json")).out, "{}\n");
});

test("parameters come from a file or standard input too, and options win", async () => {
  await using cast = await createApiFixture();
  const readInput = () =>
    Promise.resolve('{"name":"From input","cron":"30 2 * * 0","duration":60}');
  const run = asAlice(cast, { readInput });
  const id = await addCheck(cast, "Home");
  const made = await run("maintenance add --input - --checklist Home --duration 30");
  assert.deepEqual([made.code, made.err], [0, ""]);
  const [maintenance] = Object.values<Record<string, unknown>>(
    JSON.parse((await run("maintenance list --json")).out),
  );
  assert.deepEqual(
    [maintenance?.name, maintenance?.duration, maintenance?.checklist],
    ["From input", 30, [id]],
  );
  const broken = await asAlice(cast, { readInput: () => Promise.resolve("[1]") })(
    "group add --input -",
  );
  assert.deepEqual([broken.code, broken.err], [1, "--input: must be one JSON object\n"]);
});

test("an option that there is not is refused with what was probably meant", async () => {
  await using cast = await createApiFixture();
  for (const [line, said] of [
    ["check add --tyep HTTP", /Did you mean --type\?/],
    ["group add --nmae x", /Did you mean --name\?/],
    ["check tset", /Did you mean test\?/],
    ["statsu list", /Did you mean status\?/],
    ["check edit x --param thresold=9", /did you mean threshold\?/],
  ] as const) {
    const { code, out, err } = await asAlice(cast)(line);
    assert.deepEqual([code, out], [2, ""], line);
    assert.match(err, said);
  }
});

test("tables fit a terminal, have colors there, and obey no label", async () => {
  await using cast = await createApiFixture();
  await addCheck(cast, `${"日本".repeat(30)}\u001B[2J`);
  const terminal = { ...noTerminal, columns: 80, hasColors: true };
  const { out } = await asAlice(cast, { terminal })("check list");
  const [, row = ""] = out.split("\n");
  assert.ok(row.includes("\u001B[2mdisabled\u001B[0m"));
  assert.ok(!row.includes("[2J"));
  assert.match(row, /…/);
});

test("JSON is what the API answered, and warnings go to standard error", async () => {
  await using cast = await createApiFixture();
  const run = asAlice(cast);
  await addCheck(cast, "Home");
  assert.deepEqual(
    JSON.parse((await run("status list --json")).out),
    (await cast.ask(cast.alice, "GET /statuses")).body,
  );
  const made = await run("status-page add --name Shop --json");
  assert.equal(JSON.parse(made.out).name, "Shop");
  assert.match((await run("check edit Home --enabled")).err, /^Warning: /);
});

test("days and months without a measurement have no data, in tables as in figures", async () => {
  await using cast = await createApiFixture();
  const id = await addCheck(cast, "Home");
  const run = asAlice(cast);
  const uptime = await run("check uptime Home --interval days");
  assert.match(uptime.out, /^PERIOD +ENABLED +DOWN +UPTIME$/m);
  assert.match(uptime.out, /^total +0 +0 +no data$/m);
  const days = await run("check days Home --days 2");
  assert.match(days.out, /^CHECK +DAY +STATE +ENABLED +DOWN +MAINTENANCE$/m);
  assert.match(days.out, new RegExp(`^${id} +2026-01-05 +no data +0 +0 +0$`, "m"));
});
