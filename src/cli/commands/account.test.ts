import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { commandLine } from "../../../test/command-line.ts";
import { aTotp, noon } from "../../../test/record-builders.ts";

test("an account that is made has an owner, and a token that reaches nobody else", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  const { code, out, err } = await run(
    "account create --owner-email dora@example.net --timezone Europe/Berlin --name",
    "Dora's shop",
  );
  assert.equal(code, 0);
  const [, id = ""] = /Account: (\w+)\./.exec(err) ?? [];
  const token = out.trim();
  const seen = (await cast.ask(token, "GET /accounts")).body;
  assert.deepEqual(Object.keys(seen), [id]);
  const contacts = (await cast.ask(token, "GET /contacts")).body;
  assert.match(JSON.stringify(contacts), /"custrole":"owner".*dora@example\.net/);
  assert.equal((await cast.ask(cast.alice, "GET /accounts")).body[id], undefined);
  const more = await run("token create --account", id);
  assert.equal((await cast.ask(more.out.trim(), "GET /accounts")).status, 200);
});

test("the list shows primary accounts, as text and as JSON", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, undefined);
  const text = (await run("account list")).out;
  assert.match(text, /^ID +CREATED +TIME ZONE +NAME\n/);
  assert.match(text, new RegExp(`^${cast.carol.account.id} .* Carol$`, "m"));
  assert.ok(!text.includes(cast.bob.account.id));
  const listed: readonly { readonly id: string }[] = JSON.parse(
    (await run("account list --json")).out,
  );
  assert.equal(listed.length, text.trim().split("\n").length - 1);
});

test("an account that is created says so in its audit log, and lost second factors are removed with a link", async () => {
  await using cast = await createApiFixture();
  const { store } = cast;
  const run = commandLine(cast, undefined);
  const token = (await run("account create", "--name", "Shop")).out.trim();
  const [entry, ...more] = (await cast.ask(token, "GET /audit")).body;
  assert.deepEqual([entry.by, entry.operation, more], ["operator", "POST accounts", []]);
  const { account, contact } = cast.carol;
  const of = { accountId: account.id, contactId: contact.id };
  await store.write((tx) => tx.secondFactors.putTotp({ ...aTotp, ...of, confirmedAt: noon }));
  const link = ["--account", account.id, "--contact", contact.id];
  await run("account sign-in", ...link);
  assert.equal((await store.secondFactors.of(of)).totpSince, noon);
  await run("account sign-in", ...link, "--remove-second-factors");
  assert.equal((await store.secondFactors.of(of)).totpSince, undefined);
  const [removed] = (await cast.ask(cast.carol, "GET /audit")).body;
  assert.deepEqual([removed.by, removed.operation], ["operator", "DELETE second factor"]);
});

test("a link signs the owner in, or a contact that is named, and is in the audit log", async () => {
  await using cast = await createApiFixture();
  const { alice, bob, carol } = cast;
  const run = commandLine(cast, undefined);
  const many = await run("account sign-in");
  assert.match(many.err, /^account: must be one of/);
  const linkedTo = async (...args: readonly string[]): Promise<string | undefined> => {
    const { out, err } = await run("account sign-in", ...args);
    assert.match(err, /in, once, until 2026-01-06 12:00:00 GMT/);
    const [, secret = ""] = /^http:\/\/watchpost\.example\/start\?link=(.+)\n$/.exec(out) ?? [];
    return (await cast.store.sessions.findLink(hashToken(secret)))?.contactId;
  };
  assert.equal(await linkedTo("--account", alice.account.id), alice.contact.id);
  assert.equal(await linkedTo("--account", bob.account.id), bob.contact.id);
  const named = ["--account", carol.account.id, "--contact", carol.contact.id];
  assert.equal(await linkedTo(...named), carol.contact.id);
  const foreign = await run("account sign-in", ...named.slice(0, 3), alice.contact.id);
  assert.match(foreign.err, /^contact: no such contact/);
  const [entry] = (await cast.ask(carol, "GET /audit")).body;
  assert.deepEqual(
    [entry.by, entry.operation, entry.record],
    ["operator", "POST sign-in link", carol.contact.id],
  );
});

const refused: readonly { name: string; args: readonly string[]; code: number; said: RegExp }[] = [
  { name: "no name", args: [], code: 2, said: /required option '--name <text>' not specified/ },
  { name: "an empty name", args: ["--name="], code: 1, said: /^name: must be 1 to 100 printable/ },
  {
    name: "no time zone",
    args: ["--name=x", "--timezone=Europe"],
    code: 1,
    said: /^timezone: must be a time zone such as Europe\/Berlin, .* not "Europe"\n$/,
  },
  {
    name: "no mailbox",
    args: ["--name=x", "--owner-email=x"],
    code: 1,
    said: /^owner-email: must be one mailbox such as/,
  },
];

for (const { name, args, code, said } of refused) {
  test(`account create: ${name} is refused with a sentence`, async () => {
    await using cast = await createApiFixture();
    const ran = await commandLine(cast, undefined)("account create", ...args);
    assert.equal(ran.code, code);
    assert.match(ran.err, said);
    assert.equal(ran.out, "");
  });
}
