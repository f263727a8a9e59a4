import assert from "node:assert/strict";
import { test } from "node:test";

import { TOTP } from "otpauth";

import { createSignInFixture, email, fromPage, PASSWORD } from "./sign-in-fixture.ts";
import type { Headers, SignInFixture } from "./sign-in-fixture.ts";
import { storedRows } from "../fuzz/stored-rows.ts";
import { hashToken } from "../../src/kit/crypto/seal.ts";

const STEP_MS = 30_000;
const signIn = { email, password: PASSWORD };

/** Alice, with an authenticator app, and the browser in which she set it up. */
interface Enrolled {
  readonly site: SignInFixture;
  readonly browser: { readonly cookie: string };
  readonly codes: readonly string[];
  /** What the app shows now, or so many steps from now. */
  readonly code: (steps?: number) => string;
  /** The secret of the form that follows the password. */
  readonly pend: () => Promise<string>;
}

function secretIn(body: string): string {
  return /secret=([A-Z2-7]+)/.exec(body)?.[1] ?? "";
}

async function enrol(site: SignInFixture): Promise<Enrolled> {
  const { cast, post } = site;
  const { clock } = cast;
  const browser = await site.signIn();
  const act = (form: Headers) => post("/two-factor", form, { ...browser, ...fromPage });
  const begun = await act({ do: "begin", password: PASSWORD });
  assert.equal(begun.status, 200);
  const secret = secretIn(begun.body);
  const code = (steps = 0): string =>
    new TOTP({ secret }).generate({ timestamp: clock.now() + steps * STEP_MS });
  const confirmed = await act({ do: "confirm", code: code() });
  assert.equal(confirmed.status, 200);
  const codes = [...confirmed.body.matchAll(/<li><code>([^<]+)</g)].map(([, each = ""]) => each);
  await clock.advance(60_000);
  return {
    site,
    browser,
    codes,
    code,
    async pend() {
      await clock.advance(60_000);
      const { status, body, set } = await post("/signin", signIn);
      assert.deepEqual([status, set], [200, ""]);
      return /name="pending" value="([\w-]{43})"/.exec(body)?.[1] ?? "";
    },
  };
}

test("with an authenticator app the password alone gives no access, and a code signs in", async () => {
  await using site = await createSignInFixture();
  const { pend, code, codes } = await enrol(site);
  assert.deepEqual([codes.length, new Set(codes).size], [10, 10]);
  const pending = await pend();
  for (const cookie of [`__Host-watchpost-session=${pending}`, `watchpost-session=${pending}`])
    assert.equal((await site.ask("/api/1/checks", { cookie })).status, 403);
  const { status, set } = await site.post("/verify", { pending, code: code() });
  assert.equal(status, 303);
  assert.equal((await site.ask("/api/1/checks", { cookie: set })).status, 200);
  assert.equal((await site.post("/verify", { pending, code: code() })).status, 410);
});

test("a code counts once, also for somebody who looks over a shoulder", async () => {
  await using site = await createSignInFixture();
  const { pend, code } = await enrol(site);
  const [one, other] = [await pend(), await pend()];
  const shown = code();
  assert.equal((await site.post("/verify", { pending: one, code: shown })).status, 303);
  assert.equal((await site.post("/verify", { pending: other, code: shown })).status, 403);
  assert.equal((await site.post("/verify", { pending: other, code: code(-1) })).status, 403);
  await site.cast.clock.advance(STEP_MS);
  assert.equal((await site.post("/verify", { pending: other, code: code() })).status, 303);
});

test("what follows the password ends after five minutes, and with the password", async () => {
  await using site = await createSignInFixture();
  const { pend, code } = await enrol(site);
  const late = await pend();
  await site.cast.clock.advance(300_000);
  assert.equal((await site.post("/verify", { pending: late, code: code() })).status, 410);
  const pending = await pend();
  await site.setPassword();
  assert.equal((await site.post("/verify", { pending, code: code() })).status, 410);
});

test("wrong codes are held back for longer and longer, and a recovery code still signs in", async () => {
  await using site = await createSignInFixture({ rate: 0 });
  const { pend, code, codes } = await enrol(site);
  let pending = await pend();
  const wrong = (): string => (code() === "000000" ? "000001" : "000000");
  for (let attempt = 0; attempt < 5; attempt += 1)
    assert.equal((await site.post("/verify", { pending, code: wrong() })).status, 403);
  const held = await site.post("/verify", { pending, code: code() });
  assert.deepEqual([held.status, /try again in 1 minute,/.test(held.body)], [429, true]);
  pending = await pend();
  assert.equal((await site.post("/verify", { pending, code: wrong() })).status, 403);
  const longer = await site.post("/verify", { pending, code: code() });
  assert.match(longer.body, /try again in 2 minutes/);
  const [recovery = ""] = codes;
  assert.equal((await site.post("/verify", { pending, code: recovery })).status, 303);
  pending = await pend();
  assert.equal((await site.post("/verify", { pending, code: recovery })).status, 403);
  await site.cast.clock.advance(60_000);
  assert.equal((await site.post("/verify", { pending, code: code() })).status, 303);
  pending = await pend();
  assert.equal((await site.post("/verify", { pending, code: wrong() })).status, 403);
  assert.equal((await site.post("/verify", { pending, code: code() })).status, 303);
});

test("attempts are limited for each client and contact, before any code is looked at", async () => {
  await using site = await createSignInFixture();
  const { pend } = await enrol(site);
  const pending = await pend();
  for (let attempt = 0; attempt < 4; attempt += 1)
    assert.equal((await site.post("/verify", { pending, code: "x" })).status, 403);
  assert.equal((await site.post("/verify", { pending, code: "x" })).status, 429);
});

test("an app counts only once a code of it has come back, and then other browsers are signed out", async () => {
  await using site = await createSignInFixture();
  const { cast, post, ask } = site;
  const other = await site.signIn();
  const { set } = await post("/signin", signIn);
  const browser = { cookie: set };
  const act = (form: Headers, headers: Headers = fromPage) =>
    post("/two-factor", form, { ...browser, ...headers });
  assert.equal((await act({ do: "begin", password: "wrong" })).status, 403);
  assert.equal((await act({ do: "begin", password: PASSWORD }, {})).status, 403);
  const begun = await act({ do: "begin", password: PASSWORD });
  await cast.clock.advance(60_000);
  assert.equal((await post("/signin", signIn)).status, 303, "it does not count yet");
  assert.equal((await act({ do: "confirm", code: "000000" })).status, 403);
  const secret = secretIn(begun.body);
  const code = new TOTP({ secret }).generate({ timestamp: cast.clock.now() });
  assert.equal((await act({ do: "confirm", code })).status, 200);
  assert.equal((await ask("/api/1/checks", browser)).status, 200);
  assert.equal((await ask("/api/1/checks", other)).status, 403);
  await cast.clock.advance(60_000);
  assert.equal((await act({ do: "begin", password: PASSWORD })).status, 409);
  assert.equal((await act({ do: "confirm", code })).status, 409);
  assert.equal((await act({ do: "nothing", password: PASSWORD })).status, 400);
});

test("recovery codes are made anew and an app is removed by the password, and the audit log says so", async () => {
  await using site = await createSignInFixture();
  const { browser, codes, pend } = await enrol(site);
  const act = (form: Headers) => site.post("/two-factor", form, { ...browser, ...fromPage });
  assert.equal((await act({ do: "codes", password: "wrong" })).status, 403);
  assert.equal((await act({ do: "remove", password: "wrong" })).status, 403);
  const { body } = await act({ do: "codes", password: PASSWORD });
  const [made = ""] = [...body.matchAll(/<li><code>([^<]+)</g)].map(([, each = ""]) => each);
  const pending = await pend();
  const [old = ""] = codes;
  assert.equal((await site.post("/verify", { pending, code: old })).status, 403);
  assert.equal((await site.post("/verify", { pending, code: made })).status, 303);
  assert.match((await site.ask("/two-factor", browser)).body, /9 recovery codes are left/);
  await site.cast.clock.advance(60_000);
  assert.equal((await act({ do: "remove", password: PASSWORD })).status, 200);
  assert.equal((await site.post("/signin", signIn)).status, 303);
  const { cast } = site;
  const entries = (await cast.ask(cast.alice, "GET /audit")).body;
  assert.deepEqual(
    entries.map(({ operation, by }: { operation: string; by: string }) => [operation, by]),
    [
      ["DELETE second factor", "session"],
      ["POST recovery codes", "session"],
      ["POST second factor", "session"],
    ],
  );
});

test("a link that sets the password does not pass by the app", async () => {
  await using site = await createSignInFixture();
  const { code } = await enrol(site);
  const { cast } = site;
  const { store, clock, alice } = cast;
  const link = {
    digest: hashToken("secret"),
    accountId: alice.account.id,
    contactId: alice.contact.id,
    endsAt: clock.now() + 1000,
  };
  await store.write((tx) => tx.sessions.insertLink(link));
  const { status, body, set } = await site.post("/start?link=secret", { password: "x".repeat(12) });
  assert.deepEqual([status, set], [200, ""]);
  const pending = /name="pending" value="([\w-]{43})"/.exec(body)?.[1] ?? "";
  assert.equal((await site.post("/verify", { pending, code: code() })).status, 303);
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
  assert.equal((await site.post("/signin", signIn)).status, 303);
});

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
