import assert from "node:assert/strict";
import { test } from "node:test";

import { aResult, anAlert, noon } from "../../../../test/record-builders.ts";
import {
  createApiFixture,
  plainCheck,
  type ApiFixture,
  type Person,
} from "../../../../test/api-fixture.ts";
import { commandLine, type CommandLine } from "../../../../test/command-line.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import { recordFlip } from "../../../store/transactions/record-flip.ts";

const asAlice = (cast: ApiFixture): CommandLine => commandLine(cast, cast.alice.token);

async function checksOf(
  cast: ApiFixture,
  who: Person,
): Promise<readonly Record<string, unknown>[]> {
  return Object.values((await cast.ask(who, "GET /checks")).body);
}

test("a check is added as its options say, and its id is printed", async () => {
  await using cast = await createApiFixture();
  const contact = cast.alice.contact.id;
  const { code, out } = await asAlice(cast)(
    `check add --type port --target db.example.com --interval 5 --enabled --notify ${contact}=Days:10 --param port=5432 --param tags=["db"]`,
    "--label=The database",
    "--param",
    "description=The one",
  );
  assert.equal(code, 0);
  const [check] = await checksOf(cast, cast.alice);
  assert.equal(out, `${String(check?._id)}\n`);
  assert.deepEqual(
    [check?.type, check?.label, check?.interval, check?.enabled, check?.tags, check?.description],
    ["PORT", "The database", 5, "active", ["db"], "The one"],
  );
  assert.deepEqual(check?.notifications, [{ [contact]: { delay: 10, schedule: "Days" } }]);
  assert.deepEqual(check?.parameters, { target: "db.example.com", threshold: 5, port: 5432 });
});

const wishes: readonly { given: string; sent: object }[] = [
  { given: "ID", sent: { schedule: "All", delay: 0 } },
  { given: "ID=", sent: { schedule: "All", delay: 0 } },
  { given: "ID=Days", sent: { schedule: "Days", delay: 0 } },
  { given: "ID=:7", sent: { schedule: "All", delay: 7 } },
  { given: "ID=Days:7", sent: { schedule: "Days", delay: 7 } },
];

for (const { given, sent } of wishes) {
  test(`--notify ${given} asks for ${JSON.stringify(sent)}`, async () => {
    await using cast = await createApiFixture();
    const id = cast.alice.contact.id;
    const ran = await asAlice(cast)(
      `check add --type HTTP --target ${plainCheck.target} --notify ${given.replace("ID", id)}`,
    );
    assert.equal(ran.err, "Warning: enabled: the check is off, and runs only with enabled true\n");
    const [check] = await checksOf(cast, cast.alice);
    assert.deepEqual(check?.notifications, [{ [id]: sent }]);
    assert.equal(check?.enabled, "inactive");
  });
}

test("whoever is to send heartbeats is shown the token of the check", async () => {
  await using cast = await createApiFixture();
  const { out } = await asAlice(cast)("check add --type PUSH --label Backup");
  const [check] = await checksOf(cast, cast.alice);
  const { checktoken } = Object(check?.parameters);
  assert.equal(out, `${String(check?._id)}\nchecktoken ${checktoken}\n`);
});

test("a check of a subaccount is added and listed with --account alone", async () => {
  await using cast = await createApiFixture();
  const account = `--account ${cast.bob.account.id}`;
  await asAlice(cast)(`check add --type HTTP --target ${plainCheck.target} ${account}`);
  assert.match((await asAlice(cast)(`check list ${account}`)).out, /http:\/\/example\.com\//);
  assert.doesNotMatch((await asAlice(cast)("check list")).out, /example\.com/);
  const carols = await commandLine(cast, cast.carol.token)(`check list ${account}`);
  assert.deepEqual(carols, {
    code: 1,
    out: "",
    err: "You do not have the correct permissions for that account.\n",
  });
});

async function failing(cast: ApiFixture): Promise<string> {
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    label: "Shop\u001b[2J",
    enabled: true,
    tags: ["a", "b"],
  });
  const found = await cast.store.checks.find(cast.alice.account.id, body._id);
  assert.ok(found);
  const { check } = found;
  await cast.store.write((tx) =>
    recordFlip(
      tx,
      {
        check,
        from: undefined,
        to: "failing",
        since: noon,
        confirmations: [],
        result: aResult(check.no, noon, {
          passed: false,
          reason: "refused",
          text: "Refused",
          message: "connection refused",
        }),
      },
      cast.deps.ids,
    ),
  );
  return body._id;
}

test("the list is a table with the state of each check, and obeys no label", async () => {
  await using cast = await createApiFixture();
  const id = await failing(cast);
  await cast.ask(cast.alice, "POST /checks", { type: "PUSH", label: "Off" });
  const { out } = await asAlice(cast)("check list");
  const [heading = "", down = "", off = ""] = out.split("\n");
  assert.match(heading, /^ID +STATE +TYPE +LABEL +TARGET +INTERVAL$/);
  assert.match(down, new RegExp(`^${id} +down +HTTP +Shop \\[2J +http://example\\.com/ +15 min$`));
  assert.match(off, / +disabled +PUSH +Off +15 min$/);
  assert.equal(heading.indexOf("TYPE"), down.indexOf("HTTP"));
  const json = JSON.parse((await asAlice(cast)("check list --json")).out);
  assert.deepEqual(json, (await cast.ask(cast.alice, "GET /checks")).body);
});

test("one check is shown with what its latest run found, as text and as JSON", async () => {
  await using cast = await createApiFixture();
  const id = await failing(cast);
  const { out } = await asAlice(cast)("check show", id);
  for (const line of [
    /^state +down since 2026-01-05 12:00:00 GMT$/m,
    /^last result +2026-01-05 12:00:00 GMT: failed, Refused$/m,
    /^ +connection refused$/m,
    /^tags +a, b$/m,
  ])
    assert.match(out, line);
  assert.ok(!out.includes("\u001b"));
  const json = JSON.parse((await asAlice(cast)("check show", id, "--json")).out);
  assert.equal(json.lastresult.sc, "Refused");
});

test("who was notified of a check is a table, with what the receiver said, or why nobody was", async () => {
  await using cast = await createApiFixture();
  const id = await failing(cast);
  const found = await cast.store.checks.find(cast.alice.account.id, id);
  assert.ok(found);
  const { check } = found;
  const contactId = cast.alice.contact.id;
  const [mailbox] = cast.alice.contact.addresses;
  assert.ok(mailbox);
  await cast.store.write(async ({ alerts }) => {
    for (const [index, each] of ["gone", "dropped", "failed", "tried"].entries()) {
      const addressId = each === "dropped" ? mailbox.id : each;
      const changes = { contactId, addressId, createdAt: noon + index };
      await alerts.insert(anAlert(each, check, changes));
    }
    await alerts.finishAttempt("gone", { status: "dropped", at: noon, reason: "recipient_gone" });
    await alerts.finishAttempt("dropped", {
      status: "dropped",
      at: noon,
      reason: "outside_window",
    });
    for (const alertId of ["failed", "tried"]) {
      const wording = { kind: "down", from: "", subject: "", body: "", network: "email" } as const;
      await alerts.setRendered(alertId, { ...wording, to: `${alertId}@example.com` });
      const attempt = { attempt: 1, startedAt: noon, endedAt: noon, accepted: false };
      await alerts.addDelivery({ ...attempt, alertId, response: "451 later\u001b[2J" });
    }
    const reason = "550 nobody";
    await alerts.finishAttempt("failed", {
      status: "failed",
      at: noon,
      reason,
      possiblySent: false,
    });
  });
  const { out, err } = await asAlice(cast)("check alerts", id);
  assert.equal(err, "");
  assert.deepEqual(
    out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/)),
    [
      ["CREATED", "TYPE", "TO", "BY", "ATTEMPTS", "STATUS"],
      [
        "2026-01-05 12:00:00 GMT",
        "down",
        "tried@example.com",
        "email",
        "1",
        "waiting until 2026-01-05 12:00:00 GMT: 451 later [2J",
      ],
      ["2026-01-05 12:00:00 GMT", "down", "failed@example.com", "email", "1", "failed: 550 nobody"],
      ["2026-01-05 12:00:00 GMT", "down", mailbox.address, "email", "0", "dropped: outside_window"],
      ["2026-01-05 12:00:00 GMT", "down", "address gone", "0", "dropped: recipient_gone"],
    ],
  );
  const [newest] = JSON.parse(
    (await asAlice(cast)("check alerts", id, "--json", "--limit", "1")).out,
  );
  assert.equal(newest.deliveries[0].response, "451 later\u001b[2J");
});

test("what the API refuses is shown as its sentence, and Carol is shown nothing of Alice's", async () => {
  await using cast = await createApiFixture();
  const id = await failing(cast);
  const refusals: readonly [CommandLine, readonly string[], RegExp][] = [
    [commandLine(cast, cast.carol.token), ["show", id], /^there is no check "[\w-]+"\n$/],
    [commandLine(cast, cast.carol.token), ["alerts", id], /^there is no check "[\w-]+"\n$/],
    [asAlice(cast), ["show", "nothing"], /^there is no check "nothing"\n$/],
    [asAlice(cast), ["alerts", "nothing"], /^there is no check "nothing"\n$/],
    [asAlice(cast), ["alerts", "nothing", "--json"], /^there is no check "nothing"\n$/],
    [asAlice(cast), ["add", "--type", "HTTP"], /^A target is required\.\n$/],
    [asAlice(cast), ["add", "--type", "NONE"], /^type: must be one of /],
    [
      asAlice(cast),
      ["add", "--type", "HTTP", "--target", "http://a.example/", "--interval", "x"],
      /^interval: must be/,
    ],
  ];
  for (const [run, args, said] of refusals) {
    const ran = await run("check", ...args);
    assert.deepEqual([ran.code, ran.out], [1, ""]);
    assert.match(ran.err, said);
  }
  assert.equal((await commandLine(cast, cast.carol.token)("check list --json")).out, "{}\n");
});

test("a check that the policy keeps from running is added with a warning", async () => {
  await using cast = await createApiFixture();
  const { code, err } = await asAlice(cast)("check add --type HTTP --target http://127.0.0.1/");
  assert.equal(code, 0);
  assert.match(err, /^Warning: .*only public addresses/);
});

test("a parameter that the type does not have is refused, with what was probably meant, and no check is made", async () => {
  await using cast = await createApiFixture();
  for (const [param, said] of [
    ["thresold=9", "thresold: no parameter of a check of type HTTP, did you mean threshold?"],
    ["statuscode=200", "statuscode: no parameter of a check of type HTTP"],
    ["planted=1", "planted: no parameter of a check of type HTTP"],
  ]) {
    const ran = await asAlice(cast)("check", "add", "--type", "http", "--param", String(param));
    assert.deepEqual([ran.code, ran.out], [2, ""]);
    assert.match(ran.err, new RegExp(`^error: --param ${String(said).replace("?", "\\?")}`));
  }
  const nobody = await asAlice(cast)(
    `check add --type HTTP --target ${plainCheck.target} --enabled`,
  );
  assert.equal(nobody.err, "Warning: notifications: nobody is alerted of this check\n");
  assert.equal((await checksOf(cast, cast.alice)).length, 1);
});

for (const args of [
  ["add"],
  ["add", "--type", "HTTP", "--notify", "=Days"],
  ["add", "--type", "HTTP", "--param", "port"],
  ["show"],
  ["list", "--all"],
]) {
  test(`check ${args.join(" ")} is misused`, async () => {
    await using cast = await createApiFixture();
    const ran = await asAlice(cast)("check", ...args);
    assert.deepEqual([ran.code, ran.out], [2, ""]);
    assert.match(ran.err, /^error: /);
    assert.equal((await checksOf(cast, cast.alice)).length, 0);
  });
}

for (const { given, verify, warningdays } of [
  { given: "--type HTTP --target https://example.com/", verify: true, warningdays: 14 },
  {
    given: "--type httpadv --target https://example.com/ --param verify=false",
    verify: false,
    warningdays: 14,
  },
  {
    given:
      "--type HTTP --target https://example.com/ --param verify=false --param warningdays=null",
    verify: false,
    warningdays: undefined,
  },
  { given: "--type HTTP --target http://example.com/", verify: undefined, warningdays: undefined },
  {
    given: "--type PORT --target example.com --param port=1",
    verify: undefined,
    warningdays: undefined,
  },
]) {
  test(`check add ${given} asks for verify ${verify} and warningdays ${warningdays}, and says what it added`, async () => {
    await using cast = await createApiFixture();
    const { err } = await asAlice(cast)(`check add ${given}`);
    const [check] = await checksOf(cast, cast.alice);
    const parameters = isRecord(check?.parameters) ? check.parameters : {};
    assert.deepEqual(
      [parameters.verify, parameters.warningdays ?? undefined],
      [verify, warningdays],
    );
    const isAdded = warningdays !== undefined;
    assert.equal(/^It fails for a bad certificate/m.test(err), isAdded);
  });
}
