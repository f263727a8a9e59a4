import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createSignInFixture,
  email,
  fromPage,
  PASSWORD,
  url,
  type SignInFixture,
} from "./sign-in-fixture.ts";
import {
  softwareAuthenticator,
  type Asked,
  type SoftwareAuthenticator,
} from "./software-authenticator.ts";
import { aPasskey } from "../record-builders.ts";

const rpId = "watch.example.org";

/** Gives Alice a passkey. */
async function addPasskey(
  { cast, setPassword }: SignInFixture,
  { id, publicKey }: SoftwareAuthenticator,
): Promise<void> {
  const of = { accountId: cast.alice.account.id, contactId: cast.alice.contact.id };
  const passkey = aPasskey(id, { ...of, publicKey, counter: 4 });
  await cast.store.write((tx) => tx.secondFactors.insertPasskey(passkey));
  await setPassword();
}

/** Returns the request of the form after the password. */
async function pend({ cast, post }: SignInFixture) {
  await cast.clock.advance(60_000);
  const { status, body, set } = await post("/api/1/signin", { email, password: PASSWORD });
  assert.deepEqual([status, set], [200, ""]);
  const { is, pending, passkey } = JSON.parse(body);
  assert.equal(is, "second factor");
  const { challenge } = JSON.parse(passkey);
  return { pending, challenge };
}

test("a passkey signs in after the password, once for each form", async () => {
  await using site = await createSignInFixture();
  const key = softwareAuthenticator("key");
  await addPasskey(site, key);
  const { pending, challenge } = await pend(site);
  const credential = key.signed({ challenge, origin: url, rpId, counter: 5 });
  const { status, set } = await site.post("/api/1/signin/verify", { pending, credential });
  assert.equal(status, 200);
  assert.equal((await site.ask("/api/1/checks", { cookie: set })).status, 200);
  assert.equal((await site.post("/api/1/signin/verify", { pending, credential })).status, 410);
  const own = JSON.parse((await site.ask("/api/1/secondfactors", { cookie: set })).body);
  assert.deepEqual(own.passkeys, [
    { id: "key", label: "key", created: aPasskey("key").createdAt, used: site.cast.clock.now() },
  ]);
  const current = JSON.parse((await site.ask("/api/1/sessions/current", { cookie: set })).body);
  assert.deepEqual(current.secondfactors, ["passkey"]);
});

const others: readonly { readonly title: string; readonly changes: Partial<Asked> }[] = [
  { title: "for another form", changes: { challenge: Buffer.alloc(32).toString("base64url") } },
  { title: "on another site", changes: { origin: "https://evil.example" } },
  { title: "for another site", changes: { rpId: "evil.example" } },
  { title: "with a count that was used", changes: { counter: 4 } },
  { title: "without a count, where there was one", changes: { counter: 0 } },
];
for (const { title, changes } of others)
  // guard: challenge of passkeys
  // guard: origin of passkeys
  test(`what a passkey signed ${title} signs nobody in`, async () => {
    await using site = await createSignInFixture();
    const key = softwareAuthenticator("key");
    await addPasskey(site, key);
    const { pending, challenge } = await pend(site);
    const right = { challenge, origin: url, rpId, counter: 5 };
    const credential = key.signed({ ...right, ...changes });
    assert.equal((await site.post("/api/1/signin/verify", { pending, credential })).status, 403);
    const again = { pending, credential: key.signed(right) };
    assert.equal((await site.post("/api/1/signin/verify", again)).status, 200);
  });

test("neither another key with the same id nor nonsense signs anybody in", async () => {
  await using site = await createSignInFixture({ rate: 0 });
  await addPasskey(site, softwareAuthenticator("key"));
  const { pending, challenge } = await pend(site);
  const asked = { challenge, origin: url, rpId, counter: 5 };
  const forged = softwareAuthenticator("key").signed(asked);
  const unknown = softwareAuthenticator("other").signed(asked);
  const whole = JSON.parse(forged);
  for (const credential of [
    forged,
    unknown,
    "",
    "null",
    "[]",
    '{"id":"key"}',
    "x".repeat(16_384),
    JSON.stringify({ ...whole, response: { ...whole.response, signature: "" } }),
    JSON.stringify({ ...whole, response: { ...whole.response, authenticatorData: "AAAA" } }),
  ])
    assert.equal(
      (await site.post("/api/1/signin/verify", { pending, credential })).status,
      403,
      credential,
    );
  const credential = "x".repeat(16_385);
  assert.equal((await site.post("/api/1/signin/verify", { pending, credential })).status, 400);
});

test("what is no passkey of the form is not added, and only the password begins", async () => {
  await using site = await createSignInFixture({ rate: 0 });
  const browser = { ...(await site.signIn()), ...fromPage };
  const act = (step: string, body: Readonly<Record<string, string>>) =>
    site.post(`/api/1/signin/${step}`, body, browser);
  assert.equal((await act("passkey", { password: "wrong" })).status, 403);
  const begun = await act("passkey", { password: PASSWORD });
  const { pending, options } = JSON.parse(begun.body);
  assert.equal(JSON.parse(options).rp.id, rpId);
  for (const credential of ["", "{}", "null"])
    assert.equal((await act("addpasskey", { pending, credential })).status, 403);
  assert.equal((await act("removepasskey", { passkey: "x", password: PASSWORD })).status, 409);
  assert.equal((await site.post("/api/1/signin", { email, password: PASSWORD })).status, 200);
});
