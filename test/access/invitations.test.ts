import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, sessionLifetimes, type ApiFixture } from "../api-fixture.ts";
import { sendLateWelcome } from "../../src/api/welcome.ts";
import type { SystemMail } from "../../src/domain/system-mail.ts";
import { createSessionCookie } from "../../src/kit/http/session-cookie.ts";
import { createSessionAdmin } from "../../src/store/transactions/session-admin.ts";
import { INVITATION_MS } from "../../src/store/transactions/mail-sign-in-link.ts";
import { createSignInFixture, fromPage } from "./sign-in-fixture.ts";

const mailbox = "ann@example.net";
const newaddresses = [{ type: "email", address: mailbox }];

/** Sends a request as the dashboard does in which Alice is signed in. */
async function inDashboard(
  { app, alice, store, clock }: ApiFixture,
  path: string,
  payload: object,
): Promise<Record<string, unknown>> {
  const sessions = createSessionAdmin({ store, clock, lifetimes: sessionLifetimes });
  const of = { accountId: alice.account.id, contactId: alice.contact.id };
  const session = sessions.prepare(of, { client: "192.0.2.7", agent: "" });
  await store.write((tx) => session.signIn(tx, ["password"]));
  const [cookie = ""] = createSessionCookie({ isSecure: false })
    .write(session.secret, 60_000)
    .split(";");
  const headers = { cookie, origin: "http://watchpost.example" };
  const url = `/api/1${path}`;
  const { statusCode, body } = await app.inject({ method: "POST", url, headers, payload });
  assert.equal(statusCode, 200, body);
  return JSON.parse(body);
}

async function mailsOf({ store }: ApiFixture): Promise<readonly SystemMail[]> {
  const found: SystemMail[] = [];
  for (;;) {
    const mail = await store.write(({ systemMails }) => systemMails.claim({ leaseMs: 1 }));
    if (mail === undefined) return found;
    found.push(mail);
    await store.write(({ systemMails }) => systemMails.remove(mail.id));
  }
}

for (const { custrole, inDashboardAs, byToken } of [
  { custrole: "view", inDashboardAs: ["link"], byToken: ["welcome"] },
  { custrole: "edit", inDashboardAs: ["link"], byToken: ["welcome"] },
  { custrole: "owner", inDashboardAs: ["link"], byToken: [] },
  { custrole: "notify", inDashboardAs: [], byToken: [] },
])
  test(`a contact of role ${custrole} is mailed a link from the dashboard, and by a token a password, where it may sign in`, async () => {
    await using cast = await createApiFixture({ mails: true });
    const contact = { name: "Ann", custrole, newaddresses };
    await inDashboard(cast, "/contacts", contact);
    const invited = await mailsOf(cast);
    assert.deepEqual(
      invited.map(({ kind, to }) => [kind, to]),
      inDashboardAs.map((kind) => [kind, mailbox]),
    );
    for (const mail of invited) {
      assert.ok(mail.kind === "link");
      assert.deepEqual(mail.invitation, { name: "Ann", by: cast.alice.contact.name });
    }
    await cast.ask(cast.alice, "POST /contacts", contact);
    assert.deepEqual(
      (await mailsOf(cast)).map(({ kind }) => kind),
      byToken,
    );
  });

test("an invited contact chooses its password by the link, which works once, for seven days", async () => {
  await using site = await createSignInFixture();
  const { cast, server } = site;
  const invite = async (): Promise<string> => {
    const headers = { ...(await site.signIn()), ...fromPage };
    const payload = { name: "Ann", custrole: "view", newaddresses };
    const url = "/api/1/contacts";
    const { statusCode } = await server.inject({ method: "POST", url, headers, payload });
    assert.equal(statusCode, 200);
    const mail = (await mailsOf(cast)).find(({ to }) => to === mailbox);
    assert.ok(mail?.kind === "link");
    return mail.secret;
  };
  const look = (secret: string) => site.post("/api/1/signin/link", { link: secret });
  const start = (body: Readonly<Record<string, string>>) => site.post("/api/1/signin/start", body);
  const link = await invite();
  await cast.clock.advance(INVITATION_MS - 1);
  assert.deepEqual(JSON.parse((await look(link)).body), { email: mailbox });
  const chosen = { link, password: "a password of her own" };
  const { status, set } = await start(chosen);
  assert.equal(status, 200);
  assert.equal((await site.ask("/api/1/checks", { cookie: set })).status, 200);
  assert.equal((await start(chosen)).status, 410);
  const late = await invite();
  await cast.clock.advance(INVITATION_MS);
  assert.equal((await look(late)).status, 410);
});

test("an invitation waits until the mailbox is confirmed", async () => {
  await using cast = await createApiFixture({ mails: true, confirming: true });
  const { _id, warning } = await inDashboard(cast, "/contacts", {
    name: "Ann",
    custrole: "owner",
    newaddresses,
  });
  assert.match(
    String(warning),
    /; no invitation was mailed: ann@example\.net gets it once it is confirmed$/,
  );
  const confirmLater = async (accountId: string, contactId: string) => {
    assert.deepEqual(
      (await mailsOf(cast)).map(({ kind }) => kind),
      ["confirmation"],
    );
    await cast.store.write(({ contacts }) => contacts.confirmMailbox(accountId, mailbox));
    await sendLateWelcome(cast.deps, { accountId, contactId });
    const mails = await mailsOf(cast);
    return mails.map((mail) => [mail.kind, mail.kind === "link" && mail.invitation?.by]);
  };
  const invited = [["link", cast.alice.contact.name]];
  assert.deepEqual(await confirmLater(cast.alice.account.id, String(_id)), invited);
  const subaccount = await inDashboard(cast, "/accounts", {
    name: "Ltd",
    contactname: "Ann",
    email: mailbox,
    timezone: "0",
    location: "eur",
  });
  const id = String(subaccount._id ?? subaccount.id);
  const [first] = await cast.store.contacts.list(id);
  assert.deepEqual(await confirmLater(id, first?.id ?? ""), invited);
});
