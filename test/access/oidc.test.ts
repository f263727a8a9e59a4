import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";

import { createOidcFixture, type Answer, type Begun } from "./oidc-fixture.ts";
import { oidcProblems } from "../../src/domain/account/oidc-problem.ts";
import { email, fromPage, url } from "./sign-in-fixture.ts";
import type { Misbehaviour } from "../peers/oidc-provider.ts";
import { aContact, anAddress, aTotp } from "../record-builders.ts";
import { waitFor } from "../time/wait-for.ts";

const fixture = await createOidcFixture();
after(() => fixture[Symbol.asyncDispose]());
const { site, provider, get, begin, finish } = fixture;
const { alice, carol, store, clock } = site.cast;
const person = { email, email_verified: true };

beforeEach(() => {
  provider.misbehaviour = {};
  provider.person = person;
});

function sessionIn({ cookies }: Answer): string | undefined {
  return cookies.find((each) => each.startsWith("__Host-watchpost-session="))?.split(";")[0];
}

async function assertRefused(answer: Answer, problem: string, message: string): Promise<void> {
  assert.equal(sessionIn(answer), undefined, message);
  assert.equal(answer.location, `${url}/signin?problem=${problem}`, message);
  assert.ok(oidcProblems.some((word) => word === problem));
}

test("who signed in at the provider with a verified mailbox has a session, and the provider gets PKCE, state and nonce", async () => {
  const offered = JSON.parse((await get("/api/1/signin")).body).provider;
  assert.deepEqual(offered, { label: "Sign in at Example", url: `${url}/signin/oidc` });
  const begun = await begin();
  const asked = new URL(begun.location);
  assert.equal(`${asked.origin}${asked.pathname}`, `${provider.url}/authorize`);
  for (const name of ["state", "nonce", "code_challenge"])
    assert.match(asked.searchParams.get(name) ?? "", /^[\w-]{43}$/, name);
  assert.match(
    begun.cookies.join(),
    /^__Secure-watchpost-oidc=[\w-]+; Max-Age=600; Path=\/signin\/oidc; HttpOnly; SameSite=Lax; Secure$/,
  );
  const done = await finish(begun);
  assert.deepEqual([done.status, done.refresh], [200, "0; url=../../"]);
  assert.ok(
    done.cookies.includes(
      "__Secure-watchpost-oidc=; Max-Age=0; Path=/signin/oidc; HttpOnly; SameSite=Lax; Secure",
    ),
  );
  assert.match(site.cast.logged.at(-1) ?? "", /"web\.signed_in"/);
  const cookie = sessionIn(done) ?? "";
  const current = JSON.parse((await get("/api/1/sessions/current", cookie)).body);
  assert.deepEqual([current.contact, current.access], [alice.contact.id, "owner"]);
});

test("what was asked for is shown then, and nothing of another site", async () => {
  assert.equal(
    (await finish(await begin("?next=/checks%3Ffind%3Dx"))).refresh,
    "0; url=/checks?find=x",
  );
  assert.equal((await finish(await begin("?next=https://evil.example/"))).refresh, "0; url=../../");
});

test("a mailbox that the provider gives at its endpoint for it counts, in any case", async () => {
  provider.person = { email: "Alice@Example.com", email_verified: true };
  provider.misbehaviour = {
    claims: ({ email: _email, email_verified: _verified, ...rest }) => rest,
  };
  assert.ok(sessionIn(await finish(await begin())));
});

test("a second factor of ours is not asked for, which is the provider's part", async () => {
  const of = { accountId: alice.account.id, contactId: alice.contact.id };
  await store.write((tx) => tx.secondFactors.putTotp({ ...aTotp, ...of, confirmedAt: 1 }));
  assert.ok(sessionIn(await finish(await begin())));
  await store.write((tx) => tx.secondFactors.removeTotp(of));
});

test("of several accounts the oldest is signed in to, or the one that is named", async () => {
  const accountId = carol.account.id;
  const mailbox = anAddress("shared", { kind: "email", address: "both@example.com" });
  await store.write(async ({ contacts }) => {
    for (const [id, of] of [
      ["first", alice.account.id],
      ["second", accountId],
    ] as const)
      await contacts.insert(
        aContact(id, { accountId: of, role: "view", addresses: [{ ...mailbox, id }] }),
      );
  });
  provider.person = { ...person, email: "both@example.com" };
  const accountOf = async (query: string) => {
    const cookie = sessionIn(await finish(await begin(query))) ?? "";
    return JSON.parse((await get("/api/1/sessions/current", cookie)).body).contact;
  };
  assert.deepEqual(
    [await accountOf(""), await accountOf(`?account=${accountId}`)],
    ["first", "second"],
  );
  await assertRefused(await finish(await begin("?account=x")), "unknown", "no such account");
});

const badTokens: readonly (Misbehaviour & { readonly title: string })[] = [
  { title: "with another nonce", claims: (claims) => ({ ...claims, nonce: "x" }) },
  { title: "without a nonce", claims: ({ nonce: _nonce, ...claims }) => claims },
  { title: "for another client", claims: (claims) => ({ ...claims, aud: "other" }) },
  {
    title: "for two clients, of which the other asked",
    claims: (claims) => ({ ...claims, aud: ["watchpost", "other"], azp: "other" }),
  },
  { title: "of another issuer", claims: (claims) => ({ ...claims, iss: "https://evil.example" }) },
  {
    title: "that has expired",
    claims: ({ iat, ...claims }) => ({ ...claims, iat, exp: Number(iat) - 60 }),
  },
  {
    title: "of the future",
    claims: ({ iat, ...claims }) => ({ ...claims, iat, nbf: Number(iat) + 60 }),
  },
  { title: "without a subject", claims: ({ sub: _sub, ...claims }) => claims },
  { title: "signed with another key", hasOtherKey: true },
  {
    title: "that was changed after it was signed",
    token: (token) =>
      token.replace(/\.[^.]+\./, `.${Buffer.from('{"email":"x"}').toString("base64url")}.`),
  },
  { title: "with the signature of nothing", token: (token) => token.replace(/[^.]+$/, "") },
  {
    title: "that says it is not signed",
    token: (token) =>
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`,
  },
  { title: "that is none", token: () => "x" },
];
for (const { title, ...misbehaviour } of badTokens)
  // guard: signature of a provider's token
  test(`a token ${title} signs nobody in`, async () => {
    provider.misbehaviour = misbehaviour;
    await assertRefused(await finish(await begin()), "invalid", title);
  });

test("the time of a token is judged by our clock", async () => {
  await clock.advance(365 * 86_400_000);
  assert.ok(sessionIn(await finish(await begin())));
});

const badAnswers: readonly {
  readonly title: string;
  readonly change: (back: URL) => void;
  readonly problem: string;
}[] = [
  {
    title: "another state",
    change: (back) => back.searchParams.set("state", "x"),
    problem: "invalid",
  },
  { title: "no state", change: (back) => back.searchParams.delete("state"), problem: "invalid" },
  {
    title: "another issuer",
    change: (back) => back.searchParams.set("iss", "https://evil.example"),
    problem: "invalid",
  },
  {
    title: "no issuer, where it names itself",
    change: (back) => back.searchParams.delete("iss"),
    problem: "invalid",
  },
  {
    title: "another code",
    change: (back) => back.searchParams.set("code", "x"),
    problem: "invalid",
  },
  { title: "no code", change: (back) => back.searchParams.delete("code"), problem: "invalid" },
  {
    title: "an error",
    change: (back) => back.searchParams.set("error", "access_denied"),
    problem: "refused",
  },
];
for (const { title, change, problem } of badAnswers)
  // guard: state of a provider's answer
  test(`an answer of the provider with ${title} signs nobody in`, async () => {
    await assertRefused(await finish(await begin(), change), problem, title);
  });

// guard: mailboxes that a provider has verified
test("only a mailbox that the provider has verified counts", async () => {
  for (const verified of [undefined, false, "true", 1, null]) {
    provider.person = { email, email_verified: verified };
    await assertRefused(await finish(await begin()), "unverified", String(verified));
  }
  for (const claimed of [undefined, 7, [email], "x".repeat(400)]) {
    provider.person = { email: claimed, email_verified: true };
    await assertRefused(await finish(await begin()), "unverified", String(claimed));
  }
});

// guard: confirmed mailboxes of who signs in elsewhere
test("nobody is registered, and a mailbox that is not confirmed here, or only gets alerts, signs nobody in", async () => {
  const accountId = carol.account.id;
  const mailboxes = ["unasked@example.com", "alerts@example.com", "second@example.com"] as const;
  const [unasked, alerts, second] = mailboxes.map((address, index) =>
    anAddress(`m${index}`, { kind: "email", address, confirmed: index > 0 }),
  );
  assert.ok(unasked !== undefined && alerts !== undefined && second !== undefined);
  await store.write(async ({ contacts }) => {
    await contacts.insert(aContact("unasked", { accountId, role: "owner", addresses: [unasked] }));
    await contacts.insert(aContact("alerts", { accountId, role: "notify", addresses: [alerts] }));
    const first = anAddress("first", { kind: "email", address: "name@example.com" });
    await contacts.insert(
      aContact("two", { accountId, role: "owner", addresses: [first, second] }),
    );
  });
  for (const address of [...mailboxes, "nobody@example.com"]) {
    provider.person = { email: address, email_verified: true };
    await assertRefused(await finish(await begin()), "unknown", address);
  }
});

// guard: one use of a provider's answer
test("an answer counts once, within ten minutes, and in the browser that asked", async () => {
  provider.misbehaviour = { keepsCodes: true };
  const begun = await begin();
  const back = provider.consent(begun.location);
  const answer = (cookie: string) => get(`${back.pathname}${back.search}`, cookie);
  await assertRefused(await answer(""), "ended", "no cookie");
  await assertRefused(await answer((await begin()).cookie), "invalid", "of another sign-in");
  await assertRefused(await answer(`${begun.cookie.slice(0, -4)}AAAA`), "ended", "changed cookie");
  await assertRefused(await answer("__Secure-watchpost-oidc=AAAA"), "ended", "no sealed cookie");
  assert.ok(sessionIn(await answer(begun.cookie)));
  await assertRefused(await answer(begun.cookie), "ended", "replayed");
  const late = await begin();
  await clock.advance(600_000);
  await assertRefused(await finish(late), "ended", "late");
});

test("a code that was used is refused by a provider that is in order", async () => {
  const [one, other] = [await begin(), await begin()];
  const code = provider.consent(one.location).searchParams.get("code") ?? "";
  const stolen = await finish(other, (back) => back.searchParams.set("code", code));
  await assertRefused(stolen, "invalid", "a code of another sign-in, with another verifier");
  assert.ok(sessionIn(await finish(await begin())));
});

test("a provider that hangs, breaks or sends too much ends with a sentence, and the password still signs in", async () => {
  await site.setPassword();
  const huge = { status: 200, body: `{"x":"${"x".repeat(10_000_000)}"}` };
  for (const path of ["/token", "/jwks"])
    for (const answer of ["break", { status: 503, body: {} }, huge] as const) {
      provider.misbehaviour = { answers: { [path]: answer } };
      await assertRefused(await finish(await begin()), "unavailable", path);
    }
  provider.misbehaviour = { answers: { "/token": "hang" } };
  const begun: Begun = await begin();
  const before = provider.requested.length;
  let isOver = false;
  const hanging = finish(begun).finally(() => (isOver = true));
  await waitFor("the provider was asked", () =>
    provider.requested.slice(before).includes("/token"),
  );
  assert.equal(isOver, false);
  await clock.advance(10_000);
  await assertRefused(await hanging, "unavailable", "hangs");
  assert.equal(
    (await site.post("/api/1/signin", { email, password: "correct horse battery" }, fromPage))
      .status,
    200,
  );
});

test("the metadata is read once, and again after a failure", async () => {
  const reads = () => provider.requested.filter((path) => path.startsWith("/.well-known")).length;
  await finish(await begin());
  const before = reads();
  await finish(await begin());
  assert.equal(reads(), before);
  provider.misbehaviour = { hasOtherKey: true };
  await finish(await begin());
  const other = { status: 200, body: { issuer: "https://evil.example" } };
  for (const answer of [
    other,
    { status: 404, body: "" },
    { status: 200, body: "[]" },
    "break",
  ] as const) {
    provider.misbehaviour = { answers: { "/.well-known/openid-configuration": answer } };
    await assertRefused(await begin(), "unavailable", JSON.stringify(answer));
  }
  provider.misbehaviour = {};
  assert.ok(sessionIn(await finish(await begin())));
  assert.equal(reads(), before + 5);
});

test("however many begin, the metadata is read once at a time", async () => {
  await using busy = await createOidcFixture();
  const path = "/.well-known/openid-configuration";
  busy.provider.misbehaviour = { answers: { [path]: "hang" } };
  const begun = Promise.all(Array.from({ length: 20 }, () => busy.begin()));
  await waitFor("the provider was asked", () => busy.provider.requested.length > 0);
  await busy.site.cast.clock.advance(10_000);
  const problems = new Set((await begun).map(({ location }) => location));
  assert.deepEqual(problems, new Set([`${url}/signin?problem=unavailable`]));
  assert.deepEqual(busy.provider.requested, [path]);
});

test("a form sent there leads back", async () => {
  for (const path of ["/signin/oidc", "/signin/oidc/callback"])
    assert.equal((await site.post(path, {})).headers.location, `${url}/signin`);
});

// guard: attempts to sign in elsewhere
test("sign-ins by the provider are limited for each client address", async () => {
  await using limited = await createOidcFixture({ rate: 3 });
  const begun = await limited.begin();
  assert.ok(sessionIn(await limited.finish(begun)));
  assert.match((await limited.begin()).location, /\/authorize/);
  const before = limited.provider.requested.length;
  for (const path of ["/signin/oidc", "/signin/oidc/callback"])
    assert.equal((await limited.get(path)).location, `${url}/signin?problem=busy`);
  assert.equal(limited.provider.requested.length, before);
});
