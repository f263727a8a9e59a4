import assert from "node:assert/strict";
import { after, test } from "node:test";

import { calledOperations, type CalledOperation } from "./called-operations.ts";
import {
  createSignInFixture,
  email,
  fromPage,
  PASSWORD,
  RATE,
  url,
  type Headers,
} from "./sign-in-fixture.ts";
import { sessionLifetimes } from "../api-fixture.ts";
import { hashToken } from "../../src/kit/crypto/seal.ts";
import { waitFor } from "../time/wait-for.ts";
import { createSessionCookie } from "../../src/kit/http/session-cookie.ts";

const site = await createSignInFixture();
after(() => site[Symbol.asyncDispose]());
const { cast, server, cookie, verified, post, ask, setPassword, signIn } = site;
const { alice, carol, store, clock } = cast;
const accountId = alice.account.id;
const contactId = alice.contact.id;

/** To whom mails of the kind are sent that wait, which are gone then. */
async function toldOf(kind: string): Promise<string[]> {
  const mailboxes: string[] = [];
  for (;;) {
    const mail = await store.write(async ({ systemMails }) => {
      const claimed = await systemMails.claim({ leaseMs: 60_000 });
      if (claimed !== undefined) await systemMails.remove(claimed.id);
      return claimed;
    });
    if (mail === undefined) return mailboxes;
    if (mail.kind === kind) mailboxes.push(mail.to);
  }
}

/** All cookies that are set, without their attributes. */
function cookiesOf(headers: Readonly<Record<string, unknown>>): string[] {
  return [headers["set-cookie"]].flat().map((set) => String(set).split(";")[0] ?? "");
}

test("a contact that signs in by email and password has a session on the API", async () => {
  const browser = await signIn();
  assert.match(browser.cookie, /^__Host-watchpost-session=[\w-]{43}$/);
  const { status, body } = await ask("/api/1/contacts", browser);
  assert.deepEqual([status, Object.keys(JSON.parse(body))], [200, [contactId]]);
  const { body: shown } = await ask("/api/1/sessions/current", browser);
  const { name, access, customer_name: account } = JSON.parse(shown);
  assert.deepEqual([name, access, account], ["Alice", "owner", "Alice"]);
  assert.equal((await ask("/api/1/contacts", { cookie: "other=x" })).status, 403);
});

test("a client asks who is signed in, and in which account", async () => {
  const browser = await signIn();
  const current = async (query: string, headers: Headers) =>
    JSON.parse((await ask(`/api/1/sessions/current${query}`, headers)).body);
  const { actor, version, ...known } = await current("", browser);
  assert.match(actor, /^[\w-]{12}$/);
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(known, {
    by: "session",
    name: "Alice",
    contact: contactId,
    email,
    access: "owner",
    secondfactors: [],
    caller: accountId,
    customer_id: accountId,
    customer_name: "Alice",
    timezone: "-7.0",
  });
  const { id: bobsId } = cast.bob.account;
  const ofBob = await current(`?customerid=${bobsId}`, browser);
  assert.deepEqual(
    [ofBob.name, ofBob.caller, ofBob.customer_id, ofBob.customer_name, ofBob.parent],
    ["Alice", accountId, bobsId, "Bob", accountId],
  );
  const { body: byToken } = await cast.ask(alice, "GET /sessions/current");
  assert.deepEqual([byToken.by, byToken.name, byToken.contact], ["token", "test", undefined]);
});

/* guard: attributes of cookies */ test("the cookie is kept from scripts, other sites and plain HTTP", () => {
  const set = cookie.write("x".repeat(43), 2000);
  assert.equal(
    set,
    `__Host-watchpost-session=${"x".repeat(43)}; Max-Age=2; Path=/; HttpOnly; SameSite=Strict; Secure`,
  );
  const plain = createSessionCookie({ isSecure: false });
  assert.doesNotMatch(plain.write("x", 1), /Secure|__Host-/);
  assert.equal(plain.read(set), undefined);
});

/* guard: cost of unknown mailboxes */ test("a wrong password and an address that nobody has are answered alike, at the same cost", async () => {
  await setPassword();
  const answers = [];
  for (const form of [
    { email, password: "wrong" },
    { email: "nobody@example.com", password: "wrong" },
    { email, password: `${PASSWORD}x` },
    { email: "", password: "" },
  ]) {
    verified.length = 0;
    const { status, body, set } = await post("/api/1/signin", form);
    answers.push(JSON.stringify([status, body, set, verified.length]));
  }
  assert.deepEqual(new Set(answers).size, 1, answers.join("\n"));
  assert.match(answers[0] ?? "", /^\[403,.*not right.*,"",1\]$/);
});

/* guard: attempts to sign in */ test("attempts are limited for each mailbox and each client address", async () => {
  await setPassword();
  for (let attempt = 0; attempt < RATE; attempt += 1)
    assert.equal((await post("/api/1/signin", { email, password: "wrong" })).status, 403);
  verified.length = 0;
  const { status, headers } = await post("/api/1/signin", { email, password: PASSWORD });
  assert.deepEqual([status, verified.length], [429, 0]);
  await clock.advance(Number(headers["retry-after"]) * 1000);
  assert.equal((await post("/api/1/signin", { email, password: PASSWORD })).status, 200);
});

/* guard: attempts of known browsers */ test("a browser that signed in before has attempts of its own, with that mailbox alone", async () => {
  await setPassword();
  const { headers } = await post("/api/1/signin", { email, password: PASSWORD });
  const [, kept = ""] = cookiesOf(headers);
  assert.match(kept, /^__Host-watchpost-device=/);
  const device = { ...fromPage, cookie: kept };
  const attempt = async (from: Headers, mailbox = email): Promise<number> =>
    (await post("/api/1/signin", { email: mailbox, password: "wrong" }, from)).status;
  for (let times = 1; times < RATE; times += 1) assert.equal(await attempt(fromPage), 403);
  assert.equal(await attempt(fromPage), 429);
  for (let times = 1; times < RATE; times += 1) assert.equal(await attempt(device), 403);
  assert.equal((await post("/api/1/signin", { email, password: PASSWORD }, device)).status, 200);
  assert.equal(await attempt(device, "carol@example.com"), 429, "the address has had its attempts");
  assert.equal(await attempt(device), 429);
  await clock.advance(60_000);
});

/* guard: attempts of known networks */ test("an owner with a new browser signs in from a network that signed in before, while strangers use up the attempts of the mailbox", async () => {
  await setPassword();
  const attempt = async (remoteAddress: string, password: string, mailbox = email) => {
    const { statusCode } = await server.inject({
      method: "POST",
      url: "/api/1/signin",
      headers: fromPage,
      remoteAddress,
      payload: { email: mailbox, password },
    });
    return statusCode;
  };
  assert.equal(await attempt("198.51.100.7", PASSWORD), 200);
  for (let network = 0; network < 256; network += 1) {
    await attempt(`20.${network}.7.1`, "wrong");
    await attempt(`21.${network}.7.1`, "wrong", `${email} at network 198.51.100.0/24`);
  }
  assert.equal(await attempt("203.0.113.5", PASSWORD), 429, "a network that is new");
  assert.equal(await attempt("198.51.100.99", PASSWORD), 200);
  for (let address = 1; address < RATE; address += 1)
    assert.equal(await attempt(`198.51.100.${address}`, "wrong"), 403);
  assert.equal(await attempt("198.51.100.200", PASSWORD), 429, "its own attempts are limited");
  await clock.advance(60_000);
});

test("a person who is signed in changes the password and signs out where strangers used up the address", async () => {
  const browser = await signIn();
  for (let times = 0; times < RATE; times += 1)
    await post("/api/1/signin", { email: `m${times}@example.com`, password: "wrong" });
  assert.equal((await post("/api/1/signin", { email, password: PASSWORD })).status, 429);
  const form = { current: PASSWORD, password: "x".repeat(12) };
  const { status, set } = await post("/api/1/signin/password", form, { ...browser, ...fromPage });
  assert.equal(status, 200);
  const signedOut = await post("/api/1/signin/out", {}, { cookie: set, ...fromPage });
  assert.deepEqual([signedOut.status, signedOut.set], [200, "__Host-watchpost-session="]);
  await toldOf("access");
  await clock.advance(60_000);
});

test("browsers and addresses that signed in before have lanes of their own", async () => {
  await setPassword();
  const lanes = async (form: Headers, from: Headers = fromPage) => {
    site.askers.length = 0;
    const { headers } = await post("/api/1/signin", form, from);
    return { lane: site.askers[0]?.[0].lane, cookie: cookiesOf(headers)[1] ?? "" };
  };
  const wrong = { email, password: "wrong" };
  assert.equal((await lanes(wrong)).lane, 2);
  const { cookie: device } = await lanes({ email, password: PASSWORD });
  assert.equal((await lanes(wrong)).lane, 1, "somebody is signed in from that address");
  assert.equal((await lanes(wrong, { ...fromPage, cookie: device })).lane, 0);
  const nobody = { email: "nobody@example.com", password: "wrong" };
  assert.equal((await lanes(nobody, { ...fromPage, cookie: device })).lane, 1);
});

/* guard: forms of other sites */ test("no form of another site signs anybody in or out, or changes a password", async () => {
  const browser = await signIn();
  const form = { email, password: PASSWORD, current: PASSWORD };
  for (const headers of [
    {},
    { origin: "null" },
    { origin: "https://evil.example" },
    { origin: url, "sec-fetch-site": "cross-site" },
    { origin: url, "sec-fetch-site": "same-site" },
  ])
    for (const path of ["", "/out", "/password", "/app", "/codes"])
      for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]) {
        const by = { ...browser, ...headers, "content-type": type };
        const answer = await server.inject({
          method: "POST",
          url: `/api/1/signin${path}`,
          headers: by,
          payload: type.endsWith("json") ? JSON.stringify(form) : String(new URLSearchParams(form)),
        });
        assert.deepEqual([answer.statusCode, answer.headers["set-cookie"]], [403, undefined], path);
      }
  assert.equal((await ask("/api/1/checks", browser)).status, 200);
  assert.equal((await ask("/api/1/signin/out", browser)).status, 405);
  assert.equal((await ask("/api/1/checks", browser)).status, 200, "a GET signs nobody out");
});

/* guard: requests of other sites */ /* guard: sessions by GET */ test("a session changes nothing by GET, nor from another site", async () => {
  const browser = await signIn();
  const byGet = { error: "a session changes nothing by GET: send POST, PUT or DELETE" };
  const fromElsewhere = {
    error: "a session takes requests from pages of this installation alone",
  };
  const before = JSON.stringify(await store.contacts.list(accountId));
  const writing = calledOperations.filter(({ effect }) => effect === "write");
  assert.ok(writing.length > 20);
  const send = async (
    method: "GET" | "POST",
    { name, path, sends }: CalledOperation,
    by: Headers,
  ) => {
    const [action = ""] = name.split(" ");
    const payload = { ...sends, action };
    const { statusCode, body } = await server.inject({ method, url: path, headers: by, payload });
    return [statusCode, JSON.parse(body)];
  };
  for (const operation of writing) {
    const sent = await send("GET", operation, { ...browser, ...fromPage });
    assert.deepEqual(sent, [403, byGet], operation.name);
    for (const headers of [{}, { origin: "https://evil.example" }, { "sec-fetch-site": "none" }]) {
      const posted = await send("POST", operation, { ...browser, ...headers });
      assert.deepEqual(posted, [403, fromElsewhere], operation.name);
    }
  }
  const crossSite = { ...browser, "sec-fetch-site": "cross-site" };
  assert.equal((await ask("/api/1/checks", crossSite)).status, 403);
  assert.equal(JSON.stringify(await store.contacts.list(accountId)), before);
});

/* guard: sessions after a change of role or mailbox */ test("a change of role or mailbox ends sessions for good, also where it is taken back, and the person is told", async () => {
  const known = await store.contacts.find(accountId, contactId);
  assert.ok(known);
  const [mailbox] = known.addresses;
  assert.ok(mailbox);
  await cast.ask(alice, "POST /contacts", {
    custrole: "owner",
    newaddresses: [{ address: "zoe@example.com" }],
  });
  const put = async (body: object): Promise<void> =>
    assert.equal((await cast.ask(alice, `PUT /contacts/${contactId}`, body)).status, 200);
  const moved = { addresses: { [mailbox.id]: { address: "new@example.com" } } };
  const back = { addresses: { [mailbox.id]: { address: email } } };
  for (const { change, restore, told } of [
    { change: { custrole: "edit" }, restore: { custrole: "owner" }, told: [email, email] },
    { change: { custrole: "notify" }, restore: { custrole: "owner" }, told: [email] },
    { change: moved, restore: back, told: [email, "new@example.com", "new@example.com", email] },
  ]) {
    const browser = await signIn();
    assert.equal((await ask("/api/1/checks", browser)).status, 200);
    await put({ name: "Alice" });
    assert.equal((await ask("/api/1/checks", browser)).status, 200, "another change ends nothing");
    await put(change);
    assert.equal((await ask("/api/1/checks", browser)).status, 403);
    await put(restore);
    assert.equal((await ask("/api/1/checks", browser)).status, 403, "it does not revive");
    assert.deepEqual(await toldOf("access"), told);
  }
});

test("a role counts as it is now", async () => {
  const become = async (custrole: string): Promise<Headers> => {
    await cast.ask(alice, `PUT /contacts/${contactId}`, { custrole });
    return signIn();
  };
  const make = async (browser: Headers): Promise<number> =>
    (await ask("/api/1/contactgroups", { ...browser, ...fromPage }, "POST")).status;
  const tokens = async (browser: Headers): Promise<number> =>
    (await ask("/api/1/tokens", browser)).status;
  const owner = await signIn();
  assert.deepEqual([await make(owner), await tokens(owner)], [200, 200]);
  const editor = await become("edit");
  assert.deepEqual([await make(editor), await tokens(editor)], [200, 403]);
  const viewer = await become("view");
  assert.deepEqual([await make(viewer), (await ask("/api/1/checks", viewer)).status], [403, 200]);
  await become("owner");
  await toldOf("access");
});

/* guard: failed sign-ins as one entry */ test("sign-ins, failures and sign-outs are in the audit log, the failures of an hour as one entry", async () => {
  await clock.advance(3_600_000);
  const browser = await signIn();
  assert.equal((await post("/api/1/signin/out", {}, { ...browser, ...fromPage })).status, 200);
  await clock.advance(60_000);
  for (let attempt = 0; attempt < 3; attempt += 1)
    await post("/api/1/signin", { email, password: "wrong" });
  const entries = () => store.audit.list({ accountId, before: undefined, limit: 3 });
  await waitFor("three failures to be counted", async () =>
    JSON.stringify(await entries()).includes("times: 3"),
  );
  assert.deepEqual(
    (await entries()).map(({ operation, actor, recordId, fields }) => [
      operation,
      actor?.kind,
      recordId,
      fields,
    ]),
    [
      ["POST failed sign-ins", "stranger", contactId, ["times: 3"]],
      ["DELETE sessions", "session", contactId, []],
      ["POST sessions", "session", contactId, ["password"]],
    ],
  );
  await clock.advance(3_600_000);
  await post("/api/1/signin", { email, password: "wrong" });
  await waitFor(
    "the next hour to begin",
    async () => (await entries())[0]?.fields[0] === "times: 1",
  );
});

/* guard: sessions without use */ test("a session ends where nobody uses it, and at the latest after its lifetime", async () => {
  const { idleMs, maxMs } = sessionLifetimes;
  const idle = await signIn();
  await clock.advance(idleMs - 1);
  assert.equal((await ask("/api/1/checks", idle)).status, 200);
  await clock.advance(idleMs - 1);
  assert.equal((await ask("/api/1/checks", idle)).status, 200, "the request before was a use");
  await clock.advance(idleMs);
  assert.equal((await ask("/api/1/checks", idle)).status, 403);
  const used = await signIn();
  for (let spent = 0; spent < maxMs; spent += idleMs / 2) {
    assert.equal((await ask("/api/1/checks", used)).status, 200);
    await clock.advance(idleMs / 2);
  }
  assert.equal((await ask("/api/1/checks", used)).status, 403);
});

/* guard: sessions and passwords */ test("a new password needs the current one, ends all other sessions, and keeps the browser signed in", async () => {
  const other = await signIn();
  const browser = await signIn();
  assert.equal((await ask("/api/1/checks", other)).status, 403, "the password was set anew");
  const third = { cookie: (await post("/api/1/signin", { email, password: PASSWORD })).set };
  const change = (form: Headers) =>
    post("/api/1/signin/password", form, { ...browser, ...fromPage });
  assert.equal((await change({ current: "wrong", password: "x".repeat(12) })).status, 403);
  assert.equal((await change({ current: PASSWORD, password: "x".repeat(11) })).status, 400);
  const { status, set } = await change({ current: PASSWORD, password: "x".repeat(12) });
  assert.equal(status, 200);
  const statuses = [browser, third, { cookie: set }].map(
    async (headers) => (await ask("/api/1/checks", headers)).status,
  );
  assert.deepEqual(await Promise.all(statuses), [403, 403, 200]);
  assert.equal((await post("/api/1/signin/password", {})).status, 403, "nobody is signed in");
});

test("a change of the password is in the audit log and in a mail to the person", async () => {
  const browser = await signIn();
  await toldOf("access");
  const form = { current: PASSWORD, password: "x".repeat(12) };
  assert.equal(
    (await post("/api/1/signin/password", form, { ...browser, ...fromPage })).status,
    200,
  );
  const [{ by, name, contact, operation, fields }] = (await cast.ask(alice, "GET /audit")).body;
  assert.deepEqual(
    [by, name, contact, operation, fields],
    ["session", "Alice", contactId, "PUT password", ["password"]],
  );
  assert.deepEqual(await toldOf("access"), [email]);
});

test("signing out ends the session at once", async () => {
  const browser = await signIn();
  const { status, set } = await post("/api/1/signin/out", {}, { ...browser, ...fromPage });
  assert.deepEqual([status, set], [200, "__Host-watchpost-session="]);
  assert.equal((await ask("/api/1/checks", browser)).status, 403);
});

test("a contact lists and ends its own sessions, and only an owner those of others", async () => {
  const [one, two] = [
    await signIn(),
    { cookie: (await post("/api/1/signin", { email, password: PASSWORD })).set },
  ];
  const listed = async (headers: Headers) =>
    JSON.parse((await ask("/api/1/sessions", headers)).body);
  const [newest, ...others] = await listed(two);
  assert.deepEqual([newest.current || others[0].current, others.length], [true, 1]);
  const end = (query: string, headers: Headers) =>
    ask(`/api/1/sessions${query}`, { ...headers, ...fromPage }, "DELETE");
  assert.equal((await end("?session=000000000000", two)).status, 404);
  assert.equal((await end("?others=true", two)).status, 200);
  assert.deepEqual(
    [(await ask("/api/1/checks", one)).status, (await listed(two)).length],
    [403, 1],
  );
  const ofAlice = `GET /sessions/${contactId}`;
  assert.equal((await cast.ask(alice, ofAlice)).body.length, 1);
  assert.equal((await cast.ask(carol, ofAlice)).status, 404);
  assert.equal((await cast.ask(alice, `DELETE /sessions/${contactId}`)).status, 200);
  assert.equal((await ask("/api/1/checks", two)).status, 403);
});

/* guard: links to sign in */ test("a link signs in once, sets the password, and asks for an email where there is none", async () => {
  const give = async (secret: string, contact: string): Promise<string> => {
    const endsAt = clock.now() + 1000;
    const link = { digest: hashToken(secret), accountId, contactId: contact, endsAt };
    await store.write((tx) => tx.sessions.insertLink(link));
    return secret;
  };
  const look = (link: string) => post("/api/1/signin/link", { link });
  const start = (link: string, form: Headers, headers: Headers = fromPage) =>
    post("/api/1/signin/start", { link, ...form }, headers);
  const link = await give("a", contactId);
  const shown = await look(link);
  assert.deepEqual([shown.status, JSON.parse(shown.body)], [200, { email }]);
  assert.equal((await ask(`/start?link=${link}`, {})).status, 200);
  assert.equal((await look(link)).status, 200, "programs that read mails follow links");
  assert.equal((await start(link, { password: "short" })).status, 400);
  assert.equal((await start(link, { password: PASSWORD }, {})).status, 403);
  const { status, set } = await start(link, { password: PASSWORD });
  assert.deepEqual([status, (await ask("/api/1/checks", { cookie: set })).status], [200, 200]);
  assert.equal((await start(link, { password: PASSWORD })).status, 410);
  await clock.advance(60_000);
  const { body: made } = await cast.ask(alice, "POST /contacts", { custrole: "owner" });
  const bare = await give("b", made._id);
  assert.deepEqual(JSON.parse((await look(bare)).body), {});
  assert.equal((await start(bare, { password: PASSWORD, email: "no" })).status, 400);
  assert.equal((await start(bare, { password: PASSWORD, email: "zoe@example.com" })).status, 200);
  assert.equal(
    (await post("/api/1/signin", { email: "zoe@example.com", password: PASSWORD })).status,
    200,
  );
  const late = await give("c", contactId);
  await clock.advance(1000);
  assert.deepEqual([(await look(late)).status, (await start(late, {})).status], [410, 410]);
});

test("the pages load nothing from elsewhere, and send their forms here alone", async () => {
  for (const path of ["/signin", "/start?link=x"]) {
    const { headers } = await server.inject({ url: path });
    assert.match(
      String(headers["content-security-policy"]),
      /^default-src 'none';.*form-action 'self'/,
    );
    assert.deepEqual(
      [headers["referrer-policy"], headers["cache-control"]],
      ["same-origin", "no-store"],
    );
  }
});
