import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../../../test/api-fixture.ts";
import {
  accountOf,
  applyDocument,
  configurationFiles,
} from "../../../../test/configuration/configuration-files.ts";
import { commandContext, commandLine } from "../../../../test/command-line.ts";
import { seedAccount } from "../../../../test/stores/seed-account.ts";
import { stepUntil } from "../../../../test/time/wait-for.ts";
import { noTerminal } from "../../output/terminal.ts";
import { runCommand } from "../../program.ts";

const nothingToDo = /^No changes\. \d+ records? match(?:es)? the files\.$/m;

/** The ids of Alice's checks, by label. */
async function checkIds(cast: ApiFixture): Promise<Readonly<Record<string, string>>> {
  const { checks } = await accountOf(cast, cast.alice);
  return Object.fromEntries(Object.entries(checks).map(([id, { label }]) => [label, id]));
}

test("an export is taken over by the account that it is of, and from then on there is nothing to do", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const before = await accountOf(cast, cast.alice);
  const { out: document } = await commandLine(cast, cast.alice.token)("export --secrets");
  const first = await applyDocument(cast, { who: cast.alice, document });
  assert.deepEqual([first.code, first.err], [0, ""]);
  assert.match(first.out, /^0 created, 0 changed, 0 deleted, 11 taken over, \d+ unchanged\.$/m);
  const again = await applyDocument(cast, { who: cast.alice, document }, "--prune");
  assert.deepEqual([again.code, again.err], [0, ""]);
  assert.match(again.out, nothingToDo);
  assert.deepEqual(await accountOf(cast, cast.alice), before);
});

test("the wait between rechecks of an account is a number of seconds, not a switch", async () => {
  await using cast = await createApiFixture();
  const document = { account: { recheckwait: 20 } };
  assert.equal((await applyDocument(cast, { who: cast.alice, document })).err, "");
  assert.equal((await accountOf(cast, cast.alice)).account.recheckwait, 20);
});

test("a terminal shows how far it is, and nothing of that between the lines of records", async () => {
  await using cast = await createApiFixture();
  const document =
    "checks:\n  web: { type: PORT, target: a.example, port: 1 }\n  job: { type: PUSH }\n";
  const { context, output } = commandContext(cast, cast.alice.token);
  const events: string[] = [];
  const terminal = {
    ...noTerminal,
    progress: {
      show: (what: string, share: number) => void events.push(`${what} ${Math.round(share * 100)}`),
      clear: () => void events.push("clear"),
    },
  };
  const print = (line: string): void => void events.push(line.replace(/^([+~]).*\n$/s, "$1"));
  const readInput = (): Promise<string> => Promise.resolve(document);
  const code = await runCommand(["apply", "-f", "-"], { ...context, terminal, print, readInput });
  assert.deepEqual([code, output.err], [0, ""]);
  assert.deepEqual(events.slice(0, 3), [
    "reading the files 0",
    "comparing with the account 0",
    "clear",
  ]);
  const [last, summary, ...ended] = events.toReversed().slice(0, 3).toReversed();
  assert.deepEqual([last, ended], ["clear", ["clear"]]);
  assert.match(summary ?? "", /^2 created/);
  assert.ok(events.includes("applying 100"));
  for (const [index, event] of events.entries())
    if (event === "+") assert.equal(events[index - 1], "clear");
});

for (const format of ["yaml", "json"])
  test(`what was exported as ${format} from one account becomes another, and is exported from there as it was`, async () => {
    await using cast = await createApiFixture();
    await seedAccount(cast, cast.alice);
    const line = `export --secrets --format ${format}`;
    const { out: document } = await commandLine(cast, cast.alice.token)(line);
    const ran = await applyDocument(cast, { who: cast.carol, document });
    assert.deepEqual([ran.code, ran.err], [0, ""]);
    // She was there before the document, and nothing says that she is to go.
    const { status } = await cast.ask(cast.carol, `DELETE /contacts/${cast.carol.contact.id}`);
    assert.equal(status, 200);
    assert.equal((await commandLine(cast, cast.carol.token)(line)).out, document);
    const again = await applyDocument(cast, { who: cast.carol, document });
    assert.match(again.out, nothingToDo);
  });

test("little needs to be said, and names stand for ids, also of what is only in the account", async () => {
  await using cast = await createApiFixture();
  const document = `
checks:
  web: { type: http, target: https://example.com, enabled: yes, notifications: [Alice, ops/email] }
  login: { type: HTTP, label: Log in, target: https://example.com/login, dep: web, notifications: { ops: Nights } }
contacts:
  ops: { addresses: [ops@example.com, { type: webhook, address: https://hooks.example.com/x }] }
contactgroups:
  all: { members: [ops, ops/webhook, Alice/email] }
maintenance:
  weekly: { cron: 0 3 * * 0, duration: 60, checklist: [web, Log in] }
statuspages:
  shop: { sections: [{ name: Shop, checks: [web, { check: login, name: Sign in }] }] }
`.replace("[web, Log in]", "[web, login]");
  const ran = await applyDocument(cast, { who: cast.alice, document });
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.match(ran.out, /^6 created, 0 changed, 0 deleted, /m);
  const { checks, contacts, contactgroups, maintenance, statuspages } = await accountOf(
    cast,
    cast.alice,
  );
  const ids = await checkIds(cast);
  const ops = Object.entries(contacts).find(([, { name }]) => name === "ops");
  const [mailbox = "", webhook = ""] = Object.keys(ops?.[1].addresses ?? {});
  const [own = ""] = Object.keys(contacts[cast.alice.contact.id]?.addresses ?? {});
  assert.equal(ops?.[1].custrole, "notify");
  assert.deepEqual(checks[ids.web ?? ""]?.notifications, [
    { [cast.alice.contact.id]: "All" },
    { [mailbox]: "All" },
  ]);
  assert.equal(checks[ids["Log in"] ?? ""]?.dep, ids.web);
  assert.deepEqual(Object.values(contactgroups)[0]?.members, [ops?.[0], webhook, own]);
  assert.deepEqual(Object.values(maintenance)[0]?.checklist, [ids.web, ids["Log in"]]);
  assert.deepEqual(Object.values(statuspages)[0]?.sections[0]?.checks, [
    { id: ids.web, name: "web" },
    { id: ids["Log in"], name: "Sign in" },
  ]);
  assert.match((await applyDocument(cast, { who: cast.alice, document })).out, nothingToDo);
});

const aCheck = (label: string): string =>
  `{ type: PUSH, label: ${JSON.stringify(label)}, interval: 5 }`;

test("a record keeps its id while its name changes, and while its key does", async () => {
  await using cast = await createApiFixture();
  await using files = await configurationFiles(cast, cast.alice);
  await files.write("a.yaml", `checks: { backup: ${aCheck("Backup")} }`);
  assert.equal((await files.run("apply")).code, 0);
  const { Backup: id } = await checkIds(cast);
  await files.write("a.yaml", `checks: { backup: ${aCheck("Nightly backup")} }`);
  assert.match(
    (await files.run("apply")).out,
    /^~ check "Nightly backup": label Backup → Nightly /m,
  );
  assert.deepEqual(await checkIds(cast), { "Nightly backup": id });
  await files.write("a.yaml", `checks: { nightly: ${aCheck("Nightly backup")} }`);
  assert.match(
    (await files.run("apply --prune --yes")).out,
    /^= check "Nightly backup": exists, /m,
  );
  assert.match((await files.run("apply --prune --yes")).out, nothingToDo);
  assert.deepEqual(await checkIds(cast), { "Nightly backup": id });
});

test("only what the files made is deleted, and only if that is wanted and confirmed", async () => {
  await using cast = await createApiFixture();
  await using files = await configurationFiles(cast, cast.alice);
  await cast.ask(cast.alice, "POST /checks", { type: "PUSH", label: "By hand" });
  await applyDocument(cast, {
    who: cast.alice,
    document: `{ configuration: other, checks: { theirs: ${aCheck("Theirs")} } }`,
  });
  await files.write("a.yaml", `checks: { one: ${aCheck("One")} }`);
  await files.write("b.yaml", `checks: { two: ${aCheck("Two")} }`);
  assert.equal((await files.run("apply")).code, 0);
  await files.write("b.yaml", "checks: {}");
  const kept = await files.run("apply");
  assert.match(kept.out, nothingToDo);
  assert.equal(
    kept.err,
    "! not in the files any more, and only deleted with --prune: checks/two\n",
  );
  const refused = await files.run("apply --prune");
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(
    refused.err,
    /^- check "Two"\n1 would be deleted, .* --yes\. Nothing was changed\.\n$/,
  );
  assert.match((await files.run("plan --prune")).out, /^- check "Two"\n/);
  const pruned = await files.run("apply --prune --yes");
  assert.deepEqual([pruned.code, pruned.err], [0, ""]);
  assert.deepEqual(Object.keys(await checkIds(cast)).toSorted(), ["By hand", "One", "Theirs"]);
  await files.write("b.yaml", `checks: { theirs: ${aCheck("Theirs")} }`);
  const claimed = await files.run("plan");
  assert.match(
    claimed.err,
    /b\.yaml:1:11: checks\.theirs: is managed by the configuration "other"/,
  );
});

test("what was changed elsewhere is listed, and put right", async () => {
  await using cast = await createApiFixture();
  await using files = await configurationFiles(cast, cast.alice);
  await files.write("a.yaml", `checks: { one: ${aCheck("One")} }`);
  const planned = await files.run("plan");
  assert.deepEqual([planned.code, planned.err], [3, ""]);
  assert.match(
    planned.out,
    /^\+ check "One"\nPlan: 1 to create, 0 to change, 0 to delete, 0 unchanged\.\n$/,
  );
  assert.deepEqual(await checkIds(cast), {});
  await files.run("apply");
  assert.equal((await files.run("plan")).code, 0);
  const { One: id } = await checkIds(cast);
  await cast.ask(cast.alice, "PUT /checks", { id, interval: 7, tags: ["x"] });
  const drift = await files.run("plan");
  assert.equal(drift.code, 3);
  assert.match(
    drift.out,
    /^~ check "One": interval 7 → 5 \(changed elsewhere since it was applied\)$/m,
  );
  const json = JSON.parse((await files.run("plan --json")).out);
  assert.deepEqual(json.accounts[0].changes, [
    {
      change: "change",
      kind: "check",
      name: "One",
      key: "checks/one",
      id,
      differences: ["interval"],
      values: { interval: { before: 7, after: 5 } },
      drift: true,
    },
  ]);
  await files.write("a.yaml", `checks: { one: { type: PUSH, label: One, interval: 9 } }`);
  assert.match((await files.run("plan")).out, /^~ check "One": interval 7 → 9$/m);
  assert.equal((await files.run("apply")).code, 0);
  const { checks } = await accountOf(cast, cast.alice);
  // Values that the files do not mention are kept.
  assert.deepEqual([checks[id ?? ""]?.interval, checks[id ?? ""]?.tags], [9, ["x"]]);
});

test("a plan and an apply of no records say so, and nothing of the account", async () => {
  await using cast = await createApiFixture();
  const readInput = () => Promise.resolve("x-none: {}");
  for (const command of ["plan", "apply"]) {
    const ran = await commandLine(cast, cast.alice.token, { readInput })(`${command} -f -`);
    assert.deepEqual(ran, {
      code: 0,
      out: "No changes. The files contain no records.\n",
      err: "",
    });
  }
});

test("a secret that was rotated in the environment is a change of the files, and not one from elsewhere", async () => {
  await using cast = await createApiFixture();
  const environment = { PASSWORD: "hunter22" };
  await using files = await configurationFiles(cast, cast.alice, { environment });
  const mail = "type: IMAP4, target: mail.example.com, username: shop, interval: 5";
  await files.write("a.yaml", `checks: { mail: { ${mail}, password: "\${env:PASSWORD}" } }`);
  assert.equal((await files.run("apply")).code, 0);
  assert.match((await files.run("plan")).out, nothingToDo);
  environment.PASSWORD = "correct horse";
  const rotated = await files.run("plan");
  assert.equal(
    rotated.out,
    '~ check "mail": password (secret)\nPlan: 0 to create, 1 to change, 0 to delete, 0 unchanged.\n',
  );
  const [change] = JSON.parse((await files.run("plan --json")).out).accounts[0].changes;
  assert.deepEqual([change.values, change.drift], [{ password: { secret: true } }, false]);
  assert.equal((await files.run("apply")).code, 0);
  assert.match((await files.run("plan")).out, nothingToDo);
  const { mail: id } = await checkIds(cast);
  await cast.ask(cast.alice, "PUT /checks", { id, password: "changed there" });
  const drift = await files.run("plan");
  assert.match(drift.out, /password \(secret\) \(changed elsewhere since it was applied\)$/m);
  for (const { out, err } of [rotated, drift])
    assert.doesNotMatch(out + err, /hunter22|correct horse|changed there/);
});

test("a secret of a letter takes nothing from what a plan, an apply and an error say of themselves", async () => {
  await using cast = await createApiFixture();
  const environment = { PASSWORD: "e", PORT: "1" };
  await using files = await configurationFiles(cast, cast.alice, { environment });
  const mail = 'type: IMAP4, target: imap.example.com, username: shop, password: "${env:PASSWORD}"';
  await files.write("a.yaml", `checks: { mail: { ${mail}, port: "\${env:PORT}" } }`);
  const json = JSON.parse((await files.run("plan --json")).out);
  assert.deepEqual(Object.keys(json), ["configuration", "accounts"]);
  assert.deepEqual(json.accounts[0].abandoned, []);
  const [{ change, kind, key, values }] = json.accounts[0].changes;
  assert.deepEqual([change, kind, key], ["create", "check", "checks/mail"]);
  assert.deepEqual(values.password, { secret: true });
  const planned = await files.run("plan");
  assert.match(planned.out, /^Plan: 1 to create, 0 to change, 0 to delete, 0 unchanged\.$/m);
  await files.write("a.yaml", `checks: { mail: { ${mail}, intervall: 5 } }`);
  assert.match(
    (await files.run("plan")).err,
    /\/a\.yaml:1:\d+: checks\.mail\.intervall: .*\n1 fault, and nothing was changed\.\n$/,
  );
  const { body } = await cast.ask(cast.alice, "POST /tokens", { label: "reads", access: "read" });
  await files.write("a.yaml", `checks: { mail: { ${mail} } }`);
  const readOnly = commandLine(cast, body.token, { environment });
  assert.match(
    (await readOnly(`apply -f ${files.folder}/a.yaml`)).err,
    /\nDone before the error: 0 created, 0 changed, 0 deleted, 0 unchanged\. It is safe to apply the files again\.\n$/,
  );
  assert.match(
    (await files.run("apply")).out,
    /^\+ check "mail"\n1 created, 0 changed, 0 deleted, 0 unchanged\.$/m,
  );
});

test("a plan has the values of each change by name, and those of a new record, without credentials", async () => {
  await using cast = await createApiFixture();
  await using files = await configurationFiles(cast, cast.alice);
  await files.write("a.yaml", `checks: { one: ${aCheck("One")} }`);
  await files.run("apply");
  const one = "type: PUSH, label: One, interval: 5, tags: [shop], dep: two";
  const two =
    "type: HTTPADV, target: 'https://u:hunter22@example.com/', sendheaders: { x-api-key: hunter22 }";
  await files.write(
    "a.yaml",
    `contacts: { ops: { addresses: [ops@example.com, { type: slack, address: https://hooks.slack.com/services/hunter22 }] } }
checks: { one: { ${one}, notifications: [ops/email] }, two: { ${two} } }`,
  );
  const planned = await files.run("plan");
  assert.match(
    planned.out,
    /^~ check "One": tags \[\] → \["shop"\], dep false → two, notifications \[\] → \[\{"ops\/email":"All"\}\]$/m,
  );
  const json = await files.run("plan --json");
  const { changes } = JSON.parse(json.out).accounts[0];
  const values = Object.fromEntries(
    changes.map((each: { readonly key: string; readonly values: object }) => [
      each.key,
      each.values,
    ]),
  );
  assert.deepEqual(values["contacts/ops"].addresses, {
    after: ["email ops@example.com", "slack (secret)"],
  });
  assert.deepEqual(values["checks/one"].tags, { before: [], after: ["shop"] });
  assert.deepEqual(values["checks/two"].sendheaders, { secret: true });
  assert.deepEqual(values["checks/two"].target, { secret: true });
  assert.deepEqual(values["checks/two"].type, { after: "HTTPADV" });
  for (const { out } of [planned, json]) assert.doesNotMatch(out, /hunter22/);
});

test("checks are made several at a time, each after the one that it depends on, and said in the order of the plan", async () => {
  await using cast = await createApiFixture();
  const { context } = commandContext(cast, cast.alice.token);
  let [under, most] = [0, 0];
  const fetch: typeof context.fetch = async (url, init) => {
    under += 1;
    most = Math.max(most, under);
    const response = await context.fetch(url, init).finally(() => (under -= 1));
    return response;
  };
  const labels = Array.from({ length: 40 }, (_, index) => `c${index}`);
  const lines = labels.map((label, index) => {
    const dep = index % 8 === 0 ? "" : `, dep: c${index - 1}`;
    return `  ${label}: { type: PUSH${dep} }`;
  });
  const document = `checks:\n${lines.join("\n")}\n`;
  const readInput = () => Promise.resolve(document);
  const ran = await commandLine(cast, cast.alice.token, { readInput, fetch })("apply -f -");
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.ok(most > 4 && most <= 16, `${most} at once`);
  const said = [...ran.out.matchAll(/^\+ check "(\w+)"$/gm)].map(([, label]) => label);
  assert.deepEqual(said, labels);
  assert.match((await applyDocument(cast, { who: cast.alice, document })).out, nothingToDo);
});

test("a record that was deleted elsewhere is made again", async () => {
  await using cast = await createApiFixture();
  await using files = await configurationFiles(cast, cast.alice);
  await files.write("a.yaml", `checks: { one: ${aCheck("One")}, two: ${aCheck("Two")} }`);
  await files.run("apply");
  const { One: id } = await checkIds(cast);
  await cast.ask(cast.alice, `DELETE /checks/${id}`);
  assert.match((await files.run("apply")).out, /^\+ check "One"$/m);
  assert.match((await files.run("apply")).out, nothingToDo);
});

test("after an error the rest is done by applying the files again, and nothing is there twice", async () => {
  await using cast = await createApiFixture();
  const document = `checks: { a: ${aCheck("A")}, b: ${aCheck("B")}, c: ${aCheck("C")} }`;
  const readInput = () => Promise.resolve(document);
  const { context } = commandContext(cast, cast.alice.token);
  // Loses the second request of each kind and all later ones, as if the process had been killed there.
  for (const lost of ["POST /api/1/checks", "POST /api/1/configurations"]) {
    let seen = 0;
    const fetch: typeof context.fetch = (url, init) => {
      if (`${init.method} ${new URL(url).pathname}` === lost) seen += 1;
      if (seen >= (lost.endsWith("checks") ? 2 : 1)) return Promise.reject(new Error("lost"));
      return context.fetch(url, init);
    };
    const ran = await commandLine(cast, cast.alice.token, { readInput, fetch })("apply -f -");
    assert.equal(ran.code, 1);
    assert.match(
      ran.err,
      /Done before the error: \d created, .* It is safe to apply the files again\.$/m,
    );
  }
  const ran = await applyDocument(cast, { who: cast.alice, document });
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.deepEqual(Object.keys(await checkIds(cast)).toSorted(), ["A", "B", "C"]);
  assert.match((await applyDocument(cast, { who: cast.alice, document })).out, nothingToDo);
});

test("secrets come from the environment and from files, and are printed nowhere", async () => {
  await using cast = await createApiFixture();
  const environment = { PASSWORD: "hunter22", HOOK: 'https://hooks.example.com/"top"' };
  await using files = await configurationFiles(cast, cast.alice, { environment });
  await files.write("key.txt", "s3cr3t\n");
  const text = (type: string): string => `
contacts:
  ops:
    addresses: [{ type: webhook, address: "\${env:HOOK}", headers: { x-key: "Bearer \${file:key.txt}" } }]
checks:
  mail:
    type: ${type}
    label: costs $\${env:PASSWORD}
    target: mail.example.com
    username: shop
    password: \${env:PASSWORD}
    interval: 5
`;
  await files.write("a.yaml", text("IMAP4"));
  const ran = await files.run("apply");
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  const { checks, contacts } = await accountOf(cast, cast.alice);
  const mail = Object.values(checks)[0];
  assert.equal(mail?.parameters.password, "hunter22");
  assert.match(mail.label, /^costs \$\{env:PASSWORD\}$/);
  const ops = Object.values(contacts).find(({ name }) => name === "ops");
  const [webhook] = Object.values(ops?.addresses ?? {});
  assert.equal(webhook?.address, environment.HOOK);
  assert.deepEqual(webhook.headers, { "x-key": "Bearer s3cr3t" });
  assert.match((await files.run("apply")).out, nothingToDo);
  environment.PASSWORD = "correct horse";
  const changed = await files.run("plan");
  assert.match(changed.out, /^~ check "costs \$\{env:PASSWORD\}": password/m);
  await files.write("a.yaml", text("IMAP4").replace("interval: 5", "interval: ${env:PASSWORD}"));
  const wrong = await files.run("plan");
  assert.equal(wrong.code, 1);
  const exported = await files.run("export");
  assert.match(exported.out, /password: \$\{env:WATCHPOST_MAIL_PASSWORD\}/);
  for (const { out, err } of [ran, changed, wrong, exported])
    assert.doesNotMatch(out + err, /hunter22|correct horse|s3cr3t|hooks\.example/);
});

test("files are applied again whenever one of them changes, also after one that had faults", async () => {
  await using cast = await createApiFixture();
  const stop = new AbortController();
  let errors = "";
  await using files = await configurationFiles(cast, cast.alice, {
    untilStopped: () => stop.signal,
    printError: (text) => (errors += text),
  });
  await files.write("a.yaml", `checks: { one: ${aCheck("One")} }`);
  const running = files.run("apply --watch");
  const labels = async (): Promise<string> => Object.keys(await checkIds(cast)).join(" ");
  const until = (expected: string): Promise<true> =>
    stepUntil(`the checks are ${expected}`, async () => {
      await cast.clock.advance(2000);
      return (await labels()) === expected;
    });
  await until("One");
  await files.write("a.yaml", "checks: { one: {} }");
  await files.write("b.yaml", `checks: { two: ${aCheck("Two")} }`);
  await stepUntil("the fault is printed", async () => {
    await cast.clock.advance(2000);
    return errors.includes("type: required");
  });
  await files.write("a.yaml", `checks: { one: ${aCheck("Uno")} }`);
  await until("Uno Two");
  stop.abort();
  assert.equal((await running).code, 0);
});
