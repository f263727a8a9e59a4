import assert from "node:assert/strict";
import { test } from "node:test";

import { includesAccess, type Access } from "../../src/domain/account/access.ts";
import { hashToken } from "../../src/kit/crypto/seal.ts";
import { createSessionCookie } from "../../src/kit/http/session-cookie.ts";
import { createSessionAdmin } from "../../src/store/transactions/session-admin.ts";
import { sessionLifetimes } from "../api-fixture.ts";
import { aContact } from "../record-builders.ts";
import { callAsAlice, calledOperations, refusalOf, type CalledBy } from "./called-operations.ts";
import { waitFor } from "../time/wait-for.ts";
import { createFuzzServer, type FuzzServer } from "../fuzz/fuzz-server.ts";
import { storedRows } from "../fuzz/stored-rows.ts";

/** A row of a token that may be used; that of the record is not. */
const UNUSED = /"label":"(?:reads|test)".*"used_at":null/;
const READ_TOKEN = "READ0000-BBBB-4CCC-8DDD-EEEEEEEEEEEE";

interface Level {
  readonly title: string;
  readonly access: Access;
  readonly by: CalledBy;
}

async function addReadToken({ cast }: FuzzServer): Promise<void> {
  const { id: accountId } = cast.alice.account;
  const compatibility = "standard";
  const token = { digest: hashToken(READ_TOKEN), accountId, createdAt: 0, compatibility } as const;
  await cast.store.write((tx) => tx.tokens.insert({ ...token, label: "reads", access: "read" }));
}

/** The browser of a new contact of Alice's that has the role. */
async function browserOf({ cast }: FuzzServer, role: Access): Promise<Level> {
  const { store, clock, deps, alice } = cast;
  const { id: accountId } = alice.account;
  const contact = aContact(deps.ids.contact(accountId), { accountId, role, addresses: [] });
  const admin = createSessionAdmin({ store, clock, lifetimes: sessionLifetimes });
  const from = { client: "192.0.2.1", agent: "" };
  const session = admin.prepare({ accountId, contactId: contact.id }, from);
  await store.write(async (tx) => {
    await tx.contacts.insert(contact);
    await session.insert(tx);
  });
  const [cookie = ""] = createSessionCookie({ isSecure: false })
    .write(session.secret, 1)
    .split(";");
  const headers = { cookie, origin: deps.sessions.url };
  return { title: `the role ${role}`, access: role, by: { headers } };
}

async function levelsOf(site: FuzzServer): Promise<readonly Level[]> {
  await addReadToken(site);
  return [
    { title: "a token that reads", access: "view", by: { token: READ_TOKEN } },
    ...(await Promise.all(
      (["view", "edit", "owner"] as const).map((role) => browserOf(site, role)),
    )),
  ];
}

// guard: what a caller may do
test("every operation is for those who may do what it needs, and changes nothing for anybody else", async (context) => {
  await using site = await createFuzzServer();
  const { cast } = site;
  const rows = (): readonly string[] => storedRows(cast.store.directory, cast.alice.account.id);
  for (const { title, access, by } of await levelsOf(site)) {
    // Its use is recorded.
    await site.inject({ url: "/api/1/info/probe", payload: { token: READ_TOKEN } });
    await waitFor("the use to be noted", () => !rows().some((row) => UNUSED.test(row)));
    for (const operation of calledOperations) {
      const isAllowed = includesAccess(access, operation.needs);
      await context.test(`${operation.name} by ${title}`, async () => {
        const before = rows();
        const { status, body } = await callAsAlice(site, operation, by);
        if (!isAllowed) assert.deepEqual([status, body], [403, refusalOf(access, operation.needs)]);
        else assert.doesNotMatch(String(body.error), /not allowed with access/);
        if (!isAllowed || operation.effect === "read") assert.deepEqual(rows(), before);
      });
      if (isAllowed && operation.effect === "write") await site.recreateRecords();
    }
  }
});

// guard: credentials of checks
test("a token that only reads is shown no credential, and starts no diagnostics", async () => {
  await using site = await createFuzzServer();
  const { cast } = site;
  await addReadToken(site);
  const secret = "hunter22";
  const made = await Promise.all([
    cast.ask(cast.alice, "POST /checks", {
      type: "SMTP",
      target: "mail.example",
      username: "ann",
      password: secret,
    }),
    cast.ask(cast.alice, "POST /checks", {
      type: "HTTPADV",
      target: `https://ann:${secret}@example.com/?token=${secret}`,
      sendheaders: { Authorization: `Bearer ${secret}`, Accept: "text/html" },
    }),
    cast.ask(cast.alice, "POST /contacts", {
      newaddresses: [
        { type: "webhook", address: `https://x.example/${secret}`, headers: { "x-key": secret } },
        { type: "slack", address: `https://hooks.slack.com/services/T0/B0/${secret}` },
        { type: "email", address: "ann@example.com" },
      ],
    }),
  ]);
  for (const { status, text } of made) assert.equal(status, 200, text);
  const { checktoken } = site.records().alice;
  for (const path of ["checks", `checks/${made[0].body._id}`, "contacts", "notifications"]) {
    const shown = await cast.ask(READ_TOKEN, `GET /${path}`);
    assert.equal(shown.status, 200);
    for (const hidden of [secret, checktoken]) assert.ok(!shown.text.includes(hidden), shown.text);
    if (path === "contacts") assert.match(shown.text, /ann@example\.com/);
  }
  const whole = await cast.ask(cast.alice, "GET /checks");
  assert.ok(whole.text.includes(secret) && whole.text.includes(checktoken));
  const { body } = await cast.ask(READ_TOKEN, `GET /checks/${made[1].body._id}`);
  assert.deepEqual(
    [body.parameters.target, body.parameters.sendheaders],
    ["https://example.com/", { Authorization: "(hidden)", Accept: "(hidden)" }],
  );
  const run = await cast.ask(READ_TOKEN, `GET /diagnostics/${made[0].body._id}?tool=ping`);
  assert.deepEqual([run.status, run.body], [403, refusalOf("view", "edit")]);
});
