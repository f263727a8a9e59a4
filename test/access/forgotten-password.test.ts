import assert from "node:assert/strict";
import { test } from "node:test";

import { createSignInFixture, email, PASSWORD, type SignInFixture } from "./sign-in-fixture.ts";
import { waitFor } from "../time/wait-for.ts";
import type { LinkMail } from "../../src/domain/system-mail.ts";

/** The next mail with a link; one that tells of a change is left out. */
async function claimed(site: SignInFixture): Promise<LinkMail | undefined> {
  const { store } = site.cast;
  const mail = await store.write(({ systemMails }) => systemMails.claim({ leaseMs: 60_000 }));
  if (mail?.kind === "access") return claimed(site);
  if (mail === undefined) return undefined;
  assert.ok(mail.kind === "link");
  return mail;
}

/** Once the mail is stored, which nobody waits for. */
async function nextMail(site: SignInFixture): Promise<LinkMail> {
  await waitFor("a mail", () => site.cast.store.systemMails.isDue());
  const mail = await claimed(site);
  assert.ok(mail);
  return mail;
}

test("who has forgotten a password is mailed a link that works once, for an hour", async () => {
  await using site = await createSignInFixture();
  const browser = await site.signIn();
  assert.equal(JSON.parse((await site.ask("/api/1/signin", {})).body).mail, true);
  assert.equal(
    (await site.post("/api/1/signin/forgot", { email: " Alice@Example.com " })).status,
    200,
  );
  const { secret, to, accountName } = await nextMail(site);
  assert.deepEqual([to, accountName], [email, "Alice"]);
  const path = "/api/1/signin/start";
  assert.equal((await site.ask("/api/1/checks", browser)).status, 200, "nothing has changed yet");
  const chosen = { link: secret, password: "another password" };
  const { status, set } = await site.post(path, chosen);
  assert.equal(status, 200);
  assert.equal((await site.ask("/api/1/checks", { cookie: set })).status, 200);
  assert.equal((await site.ask("/api/1/checks", browser)).status, 403, "others are signed out");
  assert.equal((await site.post(path, chosen)).status, 410);
  await site.cast.clock.advance(60_000);
  assert.equal((await site.post("/api/1/signin", { email, password: PASSWORD })).status, 403);
  await site.post("/api/1/signin/forgot", { email });
  const late = await nextMail(site);
  await site.cast.clock.advance(3_600_000);
  const link = late.secret;
  assert.equal((await site.post("/api/1/signin/link", { link })).status, 410);
  const { cast } = site;
  const changed = await cast.ask(cast.alice, "GET /audit?resource=password");
  const [{ by, operation, contact }] = changed.body;
  assert.deepEqual([by, operation, contact], ["link", "PUT password", cast.alice.contact.id]);
});

test("nobody learns from the answer who has access", async () => {
  await using site = await createSignInFixture({ rate: 0 });
  const answers = [];
  for (const form of [{ email }, { email: "nobody@example.com" }, { email: "" }, {}]) {
    const { status, body, set } = await site.post("/api/1/signin/forgot", form);
    answers.push(JSON.stringify([status, body, set]));
  }
  assert.equal(new Set(answers).size, 1, answers.join("\n"));
  await nextMail(site);
  assert.equal(await claimed(site), undefined);
});

test("requests of a client and for a mailbox are limited, and so are mails to it", async () => {
  await using site = await createSignInFixture();
  const { clock } = site.cast;
  let sent = 0;
  for (let minute = 0; minute < 3; minute += 1) {
    for (let request = 0; request < 5; request += 1)
      assert.equal((await site.post("/api/1/signin/forgot", { email })).status, 200);
    assert.equal((await site.post("/api/1/signin/forgot", { email })).status, 429);
    await clock.advance(60_000);
  }
  const { store, alice } = site.cast;
  const spent = () =>
    store.mailBudget.spent({
      mailbox: email,
      accountId: alice.account.id,
      at: clock.now(),
      limits: { perMailbox: 5, perAccount: 500 },
    });
  await waitFor("the budget to be spent", async () => (await spent()) !== undefined);
  while ((await claimed(site)) !== undefined) sent += 1;
  assert.equal(sent, 1, "a later mail replaces an earlier one that has not been sent");
});

// guard: links to confirmed mailboxes
test("a contact that only gets alerts, and a mailbox that is not confirmed, get no link", async () => {
  await using site = await createSignInFixture();
  const { store, alice, clock } = site.cast;
  const [known] = alice.contact.addresses;
  assert.ok(known);
  const unconfirmed = { ...known, address: "new@example.com", confirmed: false };
  for (const [changes, mailbox] of [
    [{ role: "notify" }, email],
    [{ role: "owner", addresses: [unconfirmed] }, unconfirmed.address],
  ] as const) {
    await store.write((tx) => tx.contacts.update({ ...alice.contact, ...changes }));
    await site.post("/api/1/signin/forgot", { email: mailbox });
    await site.post("/api/1/signin/forgot", { email: "carol@example.com" });
    assert.equal((await nextMail(site)).to, "carol@example.com");
    assert.equal(await claimed(site), undefined);
    await clock.advance(60_000);
  }
});

test("without a mail server, and from another site, nothing is mailed", async () => {
  await using unable = await createSignInFixture({ canSendMail: false });
  assert.equal(JSON.parse((await unable.ask("/api/1/signin", {})).body).mail, false);
  assert.equal((await unable.post("/api/1/signin/forgot", { email })).status, 503);
  await using site = await createSignInFixture();
  for (const headers of [{}, { origin: "https://evil.example" }])
    assert.equal((await site.post("/api/1/signin/forgot", { email }, headers)).status, 403);
  assert.equal(await claimed(site), undefined);
});
