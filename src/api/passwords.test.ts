import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import type { Contact } from "../domain/contact/contact.ts";
import type { PasswordMail } from "../domain/system-mail.ts";
import { codeOf, messageOf, TooManyRequests } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import { verifyPassword } from "../kit/crypto/password.ts";
import { PASSWORD_THREADS } from "../kit/crypto/password-threads.ts";
import { createApiFixture } from "../../test/api-fixture.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { fakeClock, type FakeClock } from "../../test/time/fake-clock.ts";
import { partOf } from "../../test/peers/smtp.ts";
import { mailQueueHarness } from "../../test/harnesses/mail-queue-harness.ts";
import { aContact, alice, anAddress, bob, carol, minute } from "../../test/record-builders.ts";
import { tempStore, type TempStore } from "../../test/stores/temp-store.ts";
import { defaultMailLimits } from "../domain/contact/mail-limits.ts";
import { createPasswords, type Passwords } from "./passwords.ts";

const ann = aContact("ann", {
  role: "view",
  addresses: [
    anAddress("hook", { kind: "webhook", address: "http://example.net/" }),
    anAddress("first"),
    anAddress("second"),
  ],
});

interface Bench extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly store: TempStore;
  readonly passwords: Passwords;
  readonly issue: (contact?: Contact) => Promise<unknown>;
  readonly storedHash: () => string | undefined;
  /** The mail that waits. */
  readonly mail: () => Promise<PasswordMail | undefined>;
}

/** Alice's account with Ann in it. */
async function passwordBench(): Promise<Bench> {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  await store.write(async ({ accounts, contacts }) => {
    await accounts.insert(alice);
    await accounts.insert(carol);
    await contacts.insert(ann);
  });
  const passwords = createPasswords({
    store,
    clock,
    ids: createIds(),
    canSendMail: true,
    mailLimits: defaultMailLimits,
  });
  return {
    clock,
    store,
    passwords,
    issue: async (contact = ann) =>
      store.write(await passwords.issue(contact, "reset", contact.accountId)),
    storedHash() {
      using database = new DatabaseSync(join(store.directory, "watchpost.db"), { readOnly: true });
      const password =
        database.prepare("SELECT password FROM contacts").get()?.password ?? undefined;
      return password === undefined ? undefined : String(password);
    },
    async mail() {
      const mail = await store.write(({ systemMails }) => systemMails.claim({ leaseMs: 0 }));
      assert.ok(mail === undefined || "password" in mail);
      return mail;
    },
    [Symbol.asyncDispose]: store[Symbol.asyncDispose],
  };
}

// guard: passwords as hashes
test("the mail brings the password whose hash is stored, and no file ever shows it", async () => {
  await using bench = await passwordBench();
  const { store, clock, passwords } = bench;
  const isShown = async (words: string): Promise<boolean> => {
    const files = await readdir(store.directory);
    const contents = await Promise.all(files.map((file) => readFile(join(store.directory, file))));
    return contents.some((bytes) => bytes.includes(words));
  };
  await using mails = await mailQueueHarness(clock);
  await store.write(await passwords.issue(ann, "welcome", ann.accountId));
  const waiting = await bench.mail();
  assert.ok(waiting);
  assert.equal(await isShown(waiting.password), false);
  mails.start(store);
  await waitFor("it is gone", () => store.count("system_mails") === 0);
  const [mail, ...more] = mails.server.mails;
  assert.deepEqual([mail?.to, more], [["first@example.net"], []]);
  const [, password = ""] = /Password: (\S+)/.exec(partOf(mail?.raw ?? "", "text/plain")) ?? [];
  assert.equal(password, waiting.password);
  assert.equal(verifyPassword(password, bench.storedHash() ?? ""), true);
  assert.equal(await isShown(password), false);
  assert.equal(await isShown(waiting.id), true, "what is no secret is found");
});

test("a password is kept with its mail or not at all", async () => {
  await using bench = await passwordBench();
  const keep = await bench.passwords.issue(ann, "reset", ann.accountId);
  await assert.rejects(
    bench.store.write(async (tx) => {
      await keep(tx);
      throw new RangeError("planted");
    }),
    RangeError,
  );
  assert.deepEqual([bench.storedHash(), await bench.mail()], [undefined, undefined]);
  await bench.store.write(keep);
  assert.equal((await bench.mail())?.kind, "reset");
  assert.notEqual(bench.storedHash(), undefined);
});

test("a new password ends the old one, and a mail with the old one that still waits is not sent", async () => {
  await using bench = await passwordBench();
  await bench.issue();
  const old = await bench.mail();
  await bench.clock.advance(minute);
  await bench.issue();
  const fresh = await bench.mail();
  assert.notEqual(fresh?.id, old?.id);
  await bench.store.write(({ systemMails }) => systemMails.remove(fresh?.id ?? ""));
  assert.equal(await bench.mail(), undefined);
  const stored = bench.storedHash() ?? "";
  assert.equal(verifyPassword(old?.password ?? "", stored), false);
  assert.equal(verifyPassword(fresh?.password ?? "", stored), true);
});

/* guard: time between passwords */ test("a contact has a minute of rest after a password, and no other contact has", async () => {
  await using bench = await passwordBench();
  const ben = aContact("ben");
  await bench.store.write(({ contacts }) => contacts.insert(ben));
  await bench.issue();
  await bench.clock.advance(minute - 1500);
  await assert.rejects(
    bench.passwords.issue(ann, "reset", ann.accountId),
    (error: unknown) =>
      error instanceof TooManyRequests &&
      error.retryAfterSeconds === 2 &&
      error.message === "id: the contact was sent a password less than a minute ago",
  );
  await bench.issue(ben);
  await bench.clock.advance(1500);
  await bench.issue();
});

// guard: password hashing
test("a password of another account does not wait for all that were asked for before", async () => {
  await using bench = await passwordBench();
  const made: string[] = [];
  const make = async (contact: Contact): Promise<void> => {
    await bench.passwords.issue(contact, "reset", contact.accountId);
    made.push(contact.id);
  };
  const others = Array.from({ length: 2 * PASSWORD_THREADS + 1 }, (_, index) =>
    make(aContact(`a${index}`)),
  );
  await Promise.all([...others, make(aContact("carols", { accountId: carol.id }))]);
  assert.ok(made.indexOf("carols") < made.length - 1, made.join(" "));
});

test("a reset right after the welcome is no second one", async () => {
  await using bench = await passwordBench();
  await bench.store.write(await bench.passwords.issue(ann, "welcome", ann.accountId));
  await bench.issue();
  await assert.rejects(bench.issue(), TooManyRequests);
});

test("of two passwords that are asked for at once one is kept", async () => {
  await using bench = await passwordBench();
  const settled = await Promise.allSettled([bench.issue(), bench.issue()]);
  assert.deepEqual(
    settled
      .map((each) => (each.status === "fulfilled" ? "kept" : (codeOf(each.reason) ?? "")))
      .toSorted(),
    ["kept", "too_many"],
  );
  const mail = await bench.mail();
  assert.equal(verifyPassword(mail?.password ?? "", bench.storedHash() ?? ""), true);
});

test("a clock that is set back keeps nobody from a password", async () => {
  await using bench = await passwordBench();
  await bench.issue();
  bench.clock.step(-60 * minute);
  await bench.issue();
});

test("a stranger's contact gets no password, nor one that is gone meanwhile", async () => {
  await using bench = await passwordBench();
  for (const contact of [
    { ...ann, accountId: carol.id },
    { ...ann, id: "gone" },
  ])
    await assert.rejects(bench.issue(contact), (error: unknown) => codeOf(error) === "not_found");
  assert.deepEqual([bench.storedHash(), await bench.mail()], [undefined, undefined]);
});

test("a contact without an email address cannot be sent a password", async () => {
  await using bench = await passwordBench();
  for (const addresses of [[], ann.addresses.slice(0, 1)])
    await assert.rejects(
      bench.issue({ ...ann, addresses }),
      (error: unknown) =>
        codeOf(error) === "invalid_input" &&
        messageOf(error) === "id: the contact has no email address to send a password to",
    );
  assert.equal(bench.storedHash(), undefined);
});

test("without a mail server nobody gets a password, and the answer says which setting is missing", async () => {
  await using bench = await passwordBench();
  const { store, clock } = bench;
  const passwords = createPasswords({
    store,
    clock,
    ids: createIds(),
    canSendMail: false,
    mailLimits: defaultMailLimits,
  });
  assert.equal(passwords.canSendMail, false);
  await assert.rejects(
    passwords.issue(ann, "reset", ann.accountId),
    (error: unknown) =>
      codeOf(error) === "unavailable" &&
      messageOf(error) === "no mail server is set: WATCHPOST_SMTP_URL",
  );
});

// guard: mails to a mailbox
test("a mailbox gets few passwords an hour, however it is spelt and whoever asks; the contact is made all the same", async () => {
  await using cast = await createApiFixture({ mails: true });
  const { ask, alice, bob, carol, store, clock } = cast;
  const spellings = ["victim@example.org", "Victim@Example.org", "vic.tim+1@example.org"];
  const warnings: unknown[] = [];
  for (const [index, who] of [alice, bob, carol, alice, bob, carol, alice].entries()) {
    const address = spellings[index % spellings.length];
    const { status, body } = await ask(who, "POST /contacts", { newaddresses: [{ address }] });
    assert.equal(status, 200);
    warnings.push(body.warning);
  }
  assert.equal(store.count("system_mails"), 5);
  assert.deepEqual(warnings.slice(0, 5), Array.from({ length: 5 }));
  assert.match(String(warnings[5]), /^no welcome was mailed: .* \(WATCHPOST_MAILBOX_LIMIT\)$/);

  await clock.advance(59 * minute);
  const { body } = await ask(alice, "GET /contacts");
  const first = Object.keys(body).find((id) => id !== alice.contact.id);
  const refused = await ask(alice, `GET /contacts/${first}?action=RESETPASSWORD`);
  assert.equal(refused.status, 429);
  assert.match(refused.body.error, /^id: the mailbox was sent all .* 5 an hour, 20 a day/);
  await clock.advance(minute);
  assert.equal((await ask(alice, `GET /contacts/${first}?action=RESETPASSWORD`)).status, 200);
});

// guard: mails of an account
test("an account has only so many passwords mailed a day, those of its subaccounts included", async () => {
  await using bench = await passwordBench();
  const { store, clock } = bench;
  const mailLimits = { perMailbox: 5, perAccount: 2 };
  const passwords = createPasswords({
    store,
    clock,
    ids: createIds(),
    canSendMail: true,
    mailLimits,
  });
  const reset = async (id: string, accountId: string) => {
    const contact = aContact(id, { accountId });
    await store.write(({ contacts }) => contacts.insert(contact));
    await store.write(await passwords.issue(contact, "reset", contact.accountId));
  };
  await store.write(({ accounts }) => accounts.insert(bob));
  await reset("one", alice.id);
  await reset("two", bob.id);
  await assert.rejects(reset("three", bob.id), /2 a day \(WATCHPOST_ACCOUNT_MAIL_LIMIT\)$/);
  await reset("four", carol.id);
  await clock.advance(24 * 60 * minute);
  await reset("five", bob.id);
});
