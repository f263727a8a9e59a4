import assert from "node:assert/strict";
import { test } from "node:test";

import { TOTP } from "otpauth";

import {
  createSignInFixture,
  email,
  fromPage,
  PASSWORD,
  type Headers,
  type SignInFixture,
} from "./sign-in-fixture.ts";
import { storedRows } from "../fuzz/stored-rows.ts";
import { hashToken } from "../../src/kit/crypto/seal.ts";

const STEP_MS = 30_000;
const signIn = { email, password: PASSWORD };

/** Alice, with an authenticator app, and the browser in which she set it up. */
interface Enrolled {
  readonly site: SignInFixture;
  readonly browser: { readonly cookie: string };
  readonly codes: readonly string[];
  /** Returns the app's current code, or the code some steps later. */
  readonly code: (steps?: number) => string;
  /** The secret of the form that follows the password. */
  readonly pend: () => Promise<string>;
}

function secretIn(body: string): string {
  const { secret, uri } = JSON.parse(body);
  assert.equal(new URL(uri).searchParams.get("secret"), secret);
  return secret;
}

function pendingIn(body: string): string {
  const { is, pending } = JSON.parse(body);
  assert.equal(is, "second factor");
  assert.match(pending, /^[\w-]{43}$/);
  return pending;
}

/** Sends the step that a person takes in a browser in which they are signed in. */
function actor({ post }: SignInFixture, browser: Headers, from: Headers = fromPage) {
  return (step: string, body: Headers) =>
    post(`/api/1/signin/${step}`, body, { ...browser, ...from });
}

async function enrol(site: SignInFixture): Promise<Enrolled> {
  const { cast, post } = site;
  const { clock } = cast;
  const browser = await site.signIn();
  const act = actor(site, browser);
  const begun = await act("app", { password: PASSWORD });
  assert.equal(begun.status, 200);
  const secret = secretIn(begun.body);
  const code = (steps = 0): string =>
    new TOTP({ secret }).generate({ timestamp: clock.now() + steps * STEP_MS });
  const confirmed = await act("confirmapp", { code: code() });
  assert.equal(confirmed.status, 200);
  const { codes } = JSON.parse(confirmed.body);
  await clock.advance(60_000);
  return {
    site,
    browser,
    codes,
    code,
    async pend() {
      await clock.advance(60_000);
      const { status, body, set } = await post("/api/1/signin", signIn);
      assert.deepEqual([status, set], [200, ""]);
      return pendingIn(body);
    },
  };
}

// guard: second factors after passwords
test("with an authenticator app the password alone gives no access, and a code signs in", async () => {
  await using site = await createSignInFixture();
  const { pend, code, codes } = await enrol(site);
  assert.deepEqual([codes.length, new Set(codes).size], [10, 10]);
  const pending = await pend();
  for (const cookie of [`__Host-watchpost-session=${pending}`, `watchpost-session=${pending}`])
    assert.equal((await site.ask("/api/1/checks", { cookie })).status, 403);
  const { status, set } = await site.post("/api/1/signin/verify", { pending, code: code() });
  assert.equal(status, 200);
  assert.equal((await site.ask("/api/1/checks", { cookie: set })).status, 200);
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: code() })).status, 410);
});

// guard: codes of an app count once
test("a code counts once, also for somebody who looks over a shoulder", async () => {
  await using site = await createSignInFixture();
  const { pend, code } = await enrol(site);
  const [one, other] = [await pend(), await pend()];
  const shown = code();
  assert.equal(
    (await site.post("/api/1/signin/verify", { pending: one, code: shown })).status,
    200,
  );
  assert.equal(
    (await site.post("/api/1/signin/verify", { pending: other, code: shown })).status,
    403,
  );
  assert.equal(
    (await site.post("/api/1/signin/verify", { pending: other, code: code(-1) })).status,
    403,
  );
  await site.cast.clock.advance(STEP_MS);
  assert.equal(
    (await site.post("/api/1/signin/verify", { pending: other, code: code() })).status,
    200,
  );
});

// guard: end of what waits for a second factor
test("what follows the password ends after five minutes, and with the password", async () => {
  await using site = await createSignInFixture();
  const { pend, code } = await enrol(site);
  const late = await pend();
  await site.cast.clock.advance(300_000);
  assert.equal(
    (await site.post("/api/1/signin/verify", { pending: late, code: code() })).status,
    410,
  );
  const pending = await pend();
  await site.setPassword();
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: code() })).status, 410);
});

// guard: wrong codes
test("wrong codes are held back for longer and longer, and a recovery code still signs in", async () => {
  await using site = await createSignInFixture({ rate: 0 });
  const { pend, code, codes } = await enrol(site);
  let pending = await pend();
  const wrong = (): string => (code() === "000000" ? "000001" : "000000");
  for (let attempt = 0; attempt < 5; attempt += 1)
    assert.equal((await site.post("/api/1/signin/verify", { pending, code: wrong() })).status, 403);
  const held = await site.post("/api/1/signin/verify", { pending, code: code() });
  assert.deepEqual([held.status, /try again in 1 minute,/.test(held.body)], [429, true]);
  assert.equal(held.headers["retry-after"], "60");
  pending = await pend();
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: wrong() })).status, 403);
  const longer = await site.post("/api/1/signin/verify", { pending, code: code() });
  assert.match(longer.body, /try again in 2 minutes/);
  const [recovery = ""] = codes;
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: recovery })).status, 200);
  pending = await pend();
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: recovery })).status, 403);
  await site.cast.clock.advance(60_000);
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: code() })).status, 200);
  pending = await pend();
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: wrong() })).status, 403);
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: code() })).status, 200);
});

// guard: attempts at second factors
test("attempts are limited for each client and contact, before any code is looked at", async () => {
  await using site = await createSignInFixture();
  const { pend } = await enrol(site);
  const pending = await pend();
  for (let attempt = 0; attempt < 4; attempt += 1)
    assert.equal((await site.post("/api/1/signin/verify", { pending, code: "x" })).status, 403);
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: "x" })).status, 429);
});

test("an app counts only once a code of it has come back, and then other browsers are signed out", async () => {
  await using site = await createSignInFixture();
  const { cast, post, ask } = site;
  const other = await site.signIn();
  const { set } = await post("/api/1/signin", signIn);
  const browser = { cookie: set };
  const act = actor(site, browser);
  assert.equal((await act("app", { password: "wrong" })).status, 403);
  assert.equal((await actor(site, browser, {})("app", { password: PASSWORD })).status, 403);
  const begun = await act("app", { password: PASSWORD });
  await cast.clock.advance(60_000);
  assert.equal((await post("/api/1/signin", signIn)).status, 200, "it does not count yet");
  assert.equal((await act("confirmapp", { code: "000000" })).status, 403);
  const secret = secretIn(begun.body);
  const code = new TOTP({ secret }).generate({ timestamp: cast.clock.now() });
  assert.equal((await act("confirmapp", { code })).status, 200);
  assert.equal((await ask("/api/1/checks", browser)).status, 200);
  assert.equal((await ask("/api/1/checks", other)).status, 403);
  await cast.clock.advance(60_000);
  assert.equal((await act("app", { password: PASSWORD })).status, 409);
  assert.equal((await act("confirmapp", { code })).status, 409);
  assert.equal((await act("nothing", { password: PASSWORD })).status, 404);
});

// guard: passwords for second factors
test("recovery codes are made anew and an app is removed by the password, and the audit log says so", async () => {
  await using site = await createSignInFixture();
  const { browser, codes, pend } = await enrol(site);
  const act = actor(site, browser);
  assert.equal((await act("codes", { password: "wrong" })).status, 403);
  assert.equal((await act("removeapp", { password: "wrong" })).status, 403);
  const { body } = await act("codes", { password: PASSWORD });
  const [made = ""]: readonly string[] = JSON.parse(body).codes;
  const pending = await pend();
  const [old = ""] = codes;
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: old })).status, 403);
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: made })).status, 200);
  const left = JSON.parse((await site.ask("/api/1/secondfactors", browser)).body).recoverycodes;
  assert.equal(left, 9);
  await site.cast.clock.advance(60_000);
  assert.equal((await act("removeapp", { password: PASSWORD })).status, 200);
  assert.equal((await site.post("/api/1/signin", signIn)).status, 200);
  const { cast } = site;
  const entries = (await cast.ask(cast.alice, "GET /audit")).body.filter(
    ({ operation }: { operation: string }) => !/sessions|failed sign-ins/.test(operation),
  );
  assert.deepEqual(
    entries.map(({ operation, by }: { operation: string; by: string }) => [operation, by]),
    [
      ["DELETE second factor", "session"],
      ["POST recovery codes", "session"],
      ["POST second factor", "session"],
    ],
  );
});

// guard: second factors before a new password
test("a mailbox alone changes no password of a contact with a second factor, and ends no session", async () => {
  await using site = await createSignInFixture({ rate: 0 });
  const { code, codes, browser } = await enrol(site);
  const { cast, ask, post } = site;
  const { store, clock, alice } = cast;
  const of = { accountId: alice.account.id, contactId: alice.contact.id };
  const give = async (secret: string): Promise<string> => {
    const link = { ...of, digest: hashToken(secret), endsAt: clock.now() + 3_600_000 };
    await store.write((tx) => tx.sessions.insertLink(link));
    return secret;
  };
  const start = (link: string, form: Headers) => post("/api/1/signin/start", { link, ...form });
  const before = await store.contacts.passwordOf(of.accountId, of.contactId);
  const link = await give("stolen");
  const choice = { password: "the thief's password" };
  const shown = JSON.parse((await post("/api/1/signin/link", { link })).body);
  assert.deepEqual(shown, { email, code: "app" });
  const wrong = code() === "000000" ? "000001" : "000000";
  for (const form of [choice, { ...choice, code: wrong }, { ...choice, credential: "{}" }]) {
    const { status, set } = await start(link, form);
    assert.deepEqual([status, set], [403, ""]);
  }
  assert.equal(await store.contacts.passwordOf(of.accountId, of.contactId), before);
  assert.equal((await ask("/api/1/checks", browser)).status, 200);
  const right = { ...choice, code: code() };
  const { status, set } = await start(link, right);
  assert.deepEqual([status, (await ask("/api/1/checks", { cookie: set })).status], [200, 200]);
  assert.equal((await ask("/api/1/checks", browser)).status, 403);
  assert.equal((await start(link, right)).status, 410);
  const [recovery = ""] = codes;
  const again = await start(await give("again"), { ...choice, code: recovery });
  assert.equal(again.status, 200);
  const entries = (await cast.ask(alice, "GET /audit?limit=2")).body;
  assert.deepEqual(
    entries.map(({ operation, by, fields }: Readonly<Record<string, unknown>>) => [
      operation,
      by,
      fields,
    ]),
    [
      ["POST sessions", "session", ["link", "second factor"]],
      ["PUT password", "link", ["password"]],
    ],
  );
});

test("wrong codes of a link are held back, and cost no attempts of those who have the password", async () => {
  await using site = await createSignInFixture();
  const { pend, code } = await enrol(site);
  const { store, clock, alice } = site.cast;
  const link = { accountId: alice.account.id, contactId: alice.contact.id };
  const digest = hashToken("stolen");
  const pending = await pend();
  await store.write((tx) =>
    tx.sessions.insertLink({ ...link, digest, endsAt: clock.now() + 3_600_000 }),
  );
  const form = { link: "stolen", password: "x".repeat(12), code: "x" };
  const attempt = async (): Promise<number> =>
    (await site.post("/api/1/signin/start", form)).status;
  const statuses = [];
  for (let times = 0; times < 5; times += 1) statuses.push(await attempt());
  assert.deepEqual(statuses, [403, 403, 403, 403, 429]);
  await clock.advance(60_000);
  assert.equal((await site.post("/api/1/signin/verify", { pending, code: code() })).status, 200);
});

test("an unfinished enrolment does not show its secret again without the password", async () => {
  await using site = await createSignInFixture();
  const browser = await site.signIn();
  const act = actor(site, browser);
  const secret = secretIn((await act("app", { password: PASSWORD })).body);
  assert.notEqual(secret, "");
  const { status, body } = await act("confirmapp", { code: "000000" });
  const shown = (await site.ask("/api/1/secondfactors", browser)).body;
  assert.equal(status, 403);
  for (const page of [body, shown])
    assert.ok(!page.includes(secret) && !page.replaceAll(" ", "").includes(secret));
  const code = new TOTP({ secret }).generate({ timestamp: site.cast.clock.now() });
  assert.equal((await act("confirmapp", { code })).status, 200);
});

// guard: sessions after a change of second factors
test("a change of second factors signs out all other browsers, and the person is told", async () => {
  await using site = await createSignInFixture({ rate: 0 });
  const { browser, codes } = await enrol(site);
  const { cast, ask, post } = site;
  const { store } = cast;
  const told = async (): Promise<unknown[]> => {
    const changes: unknown[] = [];
    for (;;) {
      const mail = await store.write(async ({ systemMails }) => {
        const claimed = await systemMails.claim({ leaseMs: 60_000 });
        if (claimed !== undefined) await systemMails.remove(claimed.id);
        return claimed;
      });
      if (mail === undefined) return changes;
      if (mail.kind === "access") changes.push(mail.change);
    }
  };
  assert.deepEqual(await told(), ["factor added"]);
  const act = (step: string) => actor(site, browser)(step, { password: PASSWORD });
  const signInAgain = async (code: string): Promise<Headers> => {
    await cast.clock.advance(60_000);
    const { body } = await post("/api/1/signin", signIn);
    const pending = pendingIn(body);
    return { cookie: (await post("/api/1/signin/verify", { pending, code })).set };
  };
  const [one = "", ...rest] = codes;
  const first = await signInAgain(one);
  assert.equal((await ask("/api/1/checks", first)).status, 200);
  const { body } = await act("codes");
  assert.equal((await ask("/api/1/checks", first)).status, 403);
  const [made = ""]: readonly string[] = JSON.parse(body).codes;
  assert.ok(!rest.includes(made));
  const second = await signInAgain(made);
  await act("removeapp");
  assert.equal((await ask("/api/1/checks", second)).status, 403);
  assert.equal((await ask("/api/1/checks", browser)).status, 200, "this browser goes on");
  assert.deepEqual(await told(), ["codes", "factor removed"]);
});

test("an owner sees and removes the second factors of others, and each contact sees its own", async () => {
  await using site = await createSignInFixture();
  const { browser, pend } = await enrol(site);
  const { alice, carol, ask } = site.cast;
  const of = (path: string, headers: Headers, method: "GET" | "DELETE" = "GET") =>
    site.ask(path, { ...headers, ...fromPage }, method);
  const own = JSON.parse((await of("/api/1/secondfactors", browser)).body);
  assert.deepEqual([typeof own.totp, own.recoverycodes], ["number", 10]);
  const current = JSON.parse((await of("/api/1/sessions/current", browser)).body);
  assert.deepEqual(current.secondfactors, ["totp"]);
  const path = `/secondfactors/${alice.contact.id}`;
  const { status, body } = await of(`/api/1${path}`, browser, "DELETE");
  assert.deepEqual(
    [status, JSON.parse(body).error],
    [403, "id: your own are removed at /two-factor, by your password"],
  );
  assert.equal((await ask(carol, `DELETE ${path}`)).status, 404);
  await pend();
  assert.equal((await ask(alice, `DELETE ${path}`)).status, 200);
  assert.equal((await ask(alice, `GET ${path}`)).body.totp, false);
  assert.equal((await site.ask("/api/1/checks", browser)).status, 403, "sessions end with it");
  assert.equal((await site.post("/api/1/signin", signIn)).status, 200);
});

// guard: keys of authenticator apps
test("the key of an app is stored sealed, and no code of recovery is stored at all", async () => {
  await using site = await createSignInFixture();
  const { codes } = await enrol(site);
  const { store, alice } = site.cast;
  const totp = await store.secondFactors.findTotp({
    accountId: alice.account.id,
    contactId: alice.contact.id,
  });
  const rows = storedRows(store.directory, alice.account.id).join("\n");
  for (const secret of [
    totp?.secret ?? "nothing",
    ...codes,
    ...codes.map((each) => each.replaceAll("-", "")),
  ])
    assert.ok(!rows.includes(secret));
});
