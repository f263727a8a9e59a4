import assert from "node:assert/strict";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";

import { createApiFixture } from "../api-fixture.ts";
import { createSignInFixture, email, fromPage, PASSWORD } from "./sign-in-fixture.ts";

const site = await createSignInFixture();
after(() => site[Symbol.asyncDispose]());
const { cast, server, verified, post, ask, setPassword } = site;
const { clock } = cast;

test("what is too long, of another type, or in the query is not taken, and costs no password", async () => {
  await setPassword();
  const tried = async (url: string, payload: object | string) => {
    verified.length = 0;
    const headers = { ...fromPage, "content-type": "application/json" };
    const { statusCode, body } = await server.inject({ method: "POST", url, headers, payload });
    return [statusCode, JSON.parse(body).error, verified.length];
  };
  const path = "/api/1/signin";
  for (const [payload, error] of [
    [{ email: `${"a".repeat(320)}@`, password: PASSWORD }, /^email: must be text of at most 320/],
    [{ email, password: "x".repeat(129) }, /^password: must be text of at most 128/],
    [{ email: [email], password: PASSWORD }, /^email: must be text/],
    [{ email, password: { toString: 1 } }, /^password: must be text/],
    [{ email: `${email}\0`, password: PASSWORD }, /NUL/],
    ['{"email":', /^body: malformed JSON/],
    [`{"__proto__":{"email":"${email}"}}`, /key not allowed/],
  ] as const) {
    const [status, sentence, count] = await tried(path, payload);
    assert.deepEqual([status, count], [400, 0], String(sentence));
    assert.match(String(sentence), error);
  }
  const query = new URLSearchParams({ email, password: PASSWORD }).toString();
  assert.equal((await tried(`${path}?${query}`, {}))[0], 403);
  for (const url of [`${path}/none`, `${path}/verify/x`, `${path}/post`])
    assert.equal((await tried(url, {}))[0], 404, url);
  for (const each of ["", "/verify", "/out"]) {
    const { statusCode, headers } = await server.inject({ method: "PUT", url: `${path}${each}` });
    assert.deepEqual([statusCode, headers.allow], [405, each === "" ? "GET, POST" : "POST"]);
  }
  await clock.advance(60_000);
});

test("the session of a sign-in is a new one, whatever the browser brings", async () => {
  await setPassword();
  const planted = `__Host-watchpost-session=${"x".repeat(43)}`;
  const headers = { ...fromPage, cookie: planted };
  const one = await post("/api/1/signin", { email, password: PASSWORD }, headers);
  const other = await post(
    "/api/1/signin",
    { email, password: PASSWORD },
    { ...headers, cookie: one.set },
  );
  assert.deepEqual([one.status, other.status], [200, 200]);
  assert.equal(new Set([planted, one.set, other.set]).size, 3);
  assert.equal((await ask("/api/1/checks", { cookie: planted })).status, 403);
  await clock.advance(60_000);
});

test("pages of other origins read what is offered, and get no cookie", async () => {
  const { headers, statusCode } = await server.inject({
    url: "/api/1/signin",
    headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  });
  assert.equal(statusCode, 200);
  assert.equal(headers["access-control-allow-credentials"], undefined);
  assert.equal(headers["set-cookie"], undefined);
});

test("a password is read in the charset of its request, and never compressed", async () => {
  await setPassword();
  const signIn = async (headers: Readonly<Record<string, string>>, payload: Buffer) => {
    verified.length = 0;
    const { statusCode } = await server.inject({
      method: "POST",
      url: "/api/1/signin",
      headers: { ...fromPage, ...headers },
      payload,
    });
    return [statusCode, verified.length];
  };
  const json = JSON.stringify({ email, password: PASSWORD });
  const utf16 = { "content-type": "application/json; charset=utf-16le" };
  assert.deepEqual(await signIn(utf16, Buffer.from(json, "utf16le")), [200, 1]);
  assert.deepEqual(
    await signIn({}, Buffer.from(json.replace("horse", "hörse"), "latin1")),
    [400, 0],
  );
  assert.deepEqual(await signIn({ "content-encoding": "gzip" }, gzipSync(json)), [400, 0]);
  await clock.advance(60_000);
});

test("a sign-in is refused with the status of the error in legacy mode too", async () => {
  await using legacy = await createApiFixture({ compatibility: "legacy" });
  const statusOf = async (payload: string): Promise<number> => {
    const { statusCode } = await legacy.app.inject({
      method: "POST",
      url: "/api/1/signin",
      headers: fromPage,
      payload,
    });
    return statusCode;
  };
  assert.equal(await statusOf("{"), 400);
  assert.equal(await statusOf(JSON.stringify({ password: "x".repeat(1_048_576) })), 413);
});
