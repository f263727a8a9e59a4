import assert from "node:assert/strict";
import { once } from "node:events";
import { METHODS, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { aCheck } from "../../../test/record-builders.ts";
import {
  createApiFixture,
  testResponse,
  plainCheck,
  type ApiFixture,
} from "../../../test/api-fixture.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";

async function listening(cast: ApiFixture): Promise<number> {
  return Number(new URL(await cast.app.listen({ host: "127.0.0.1", port: 0 })).port);
}

function send(
  port: number,
  options: { method: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: "127.0.0.1", port, ...options }, (incoming) => {
      text(incoming).then((body) => resolve({ status: incoming.statusCode ?? 0, body }), reject);
    });
    outgoing.on("error", reject).end(options.body);
  });
}

function raw(port: number, bytes: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.end(bytes);
  return text(socket);
}

// guard: deadline of headers
test("headers must have come within ten seconds, and the refusal says so", async () => {
  await using cast = await createApiFixture();
  const { server } = cast.app;
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [10_000, 60_000]);
  server.headersTimeout = 1;
  const said = await text(connect({ host: "127.0.0.1", port: await listening(cast) }));
  assert.match(said, /^HTTP\/1\.1 408 .*"the request did not arrive in time"/s);
});

test("a GET and a DELETE with a JSON body are read over a real socket", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  const { body } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  for (const [method, expected] of [
    ["GET", body._id],
    ["DELETE", body._id],
  ] as const) {
    const json = JSON.stringify({ token: cast.alice.token, id: body._id });
    const answer = await send(port, {
      method,
      path: "/api/1/checks",
      headers: {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(json)),
      },
      body: json,
    });
    assert.equal(answer.status, 200, answer.body);
    const found: { _id?: string; id?: string } = JSON.parse(answer.body);
    assert.equal(found._id ?? found.id, expected);
  }
});

test("a GET with a chunked body is read, and one without a body that names a content type does not wait", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  const json = JSON.stringify({ token: cast.alice.token });
  const chunked = await raw(
    port,
    `GET /api/1/checks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`,
  );
  assert.match(chunked, /^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\n\{\}$/);
  const bare = await send(port, {
    method: "GET",
    path: `/api/1/checks?token=${cast.alice.token}`,
    headers: { "content-type": "application/json" },
  });
  assert.deepEqual(bare, { status: 200, body: "{}" });
});

test("what is no HTTP is refused in JSON, with an address that is too long among it", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  assert.match(
    await raw(port, "NONSENSE\r\n\r\n"),
    /^HTTP\/1.1 400 [^]*\{"error":"the request is not valid HTTP"\}$/,
  );
  assert.match(
    await raw(port, "GET /api/1/checks?label=\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n"),
    /^HTTP\/1.1 400 [^]*\{"error":"the address is not valid, percent-encode/,
  );
  assert.match(
    await raw(port, `GET /api/1/checks?a=${"x".repeat(70_000)} HTTP/1.1\r\n\r\n`),
    /^HTTP\/1.1 431 [^]*\{"error":"the address and headers/,
  );
});

// guard: a Host in every request
test("a request without a Host is refused with a sentence where HTTP demands one", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  const address = `/api/1/checks?token=${cast.alice.token}`;
  assert.match(
    await raw(port, `GET ${address} HTTP/1.1\r\nConnection: close\r\n\r\n`),
    /^HTTP\/1.1 400 [^]*\r\n\r\n\{"error":"the request has no Host header"\}$/,
  );
  assert.match(await raw(port, `GET ${address} HTTP/1.0\r\n\r\n`), /^HTTP\/1.1 200 /);
});

// guard: one Host in every request
test("a request with several Hosts is refused, for a proxy may have read another", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  for (const version of ["1.1", "1.0"])
    assert.match(
      await raw(port, `GET /api/1/checks HTTP/${version}\r\nHost: a\r\nhOST: a\r\n\r\n`),
      /^HTTP\/1.1 400 [^]*\r\n\r\n\{"error":"the request has more than one Host header"\}$/,
    );
});

test("an expectation that nobody knows is passed over", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  const json = JSON.stringify({ token: cast.alice.token });
  assert.match(
    await raw(
      port,
      `GET /api/1/checks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: more\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
    ),
    /^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\n\{\}$/,
  );
});

test("an address that comes whole, as through a proxy, is the same address", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  const query = `token=${cast.alice.token}`;
  for (const address of [
    `http://watch.example/api/1/checks?${query}`,
    `HTTPS://watch.example:8443/api/1/checks?${query}`,
  ]) {
    assert.match(
      await raw(port, `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\n\{\}$/,
    );
  }
  assert.match(
    await raw(port, "GET http://watch.example HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    /^HTTP\/1.1 404 [^]*\{"error":"no such path \\"\/\\""\}$/,
  );
});

test("every method that HTTP has is answered, and those that nobody offers with 405", async () => {
  await using cast = await createApiFixture();
  const port = await listening(cast);
  for (const method of METHODS) {
    if (["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "CONNECT"].includes(method)) continue;
    const { status, body } = await send(port, {
      method,
      path: `/api/1/checks?token=${cast.alice.token}`,
    });
    assert.equal(status, 405, method);
    assert.deepEqual(JSON.parse(body), { error: `method ${method} is not supported on checks` });
  }
});

test("a body that is cut off is no fault of ours", async () => {
  await using cast = await createApiFixture();
  const socket = connect({ host: "127.0.0.1", port: await listening(cast) });
  const arrived = once(cast.app.server, "request");
  socket.write("POST /api/1/checks HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{");
  const [request]: IncomingMessage[] = await arrived;
  assert.ok(request);
  const over = once(request, "close");
  socket.destroy();
  await assert.rejects(over, { code: "ECONNRESET" });
  await drainEventLoop();
  assert.deepEqual(cast.logged, []);
});

test("a compressed body is refused with a sentence", async () => {
  await using cast = await createApiFixture();
  const { statusCode, body } = await cast.app.inject({
    method: "POST",
    url: "/api/1/checks",
    headers: {
      ...authorized(cast),
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    payload: gzipSync(JSON.stringify(plainCheck)),
  });
  assert.deepEqual(
    [statusCode, JSON.parse(body)],
    [400, { error: 'body: must not be compressed "gzip"' }],
  );
});

// guard: referrers
test("answers are JSON on one line, not to be stored, sniffed or referred to", async () => {
  await using cast = await createApiFixture();
  const { text, headers } = await cast.ask(cast.alice, "GET /accounts");
  assert.ok(!/\n|": /.test(text));
  assert.equal(headers["content-type"], "application/json");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["x-content-type-options"], "nosniff");
});

test("pages of any origin may call the API, without credentials of the browser", async () => {
  await using cast = await createApiFixture();
  const preflight = await cast.app.inject({
    method: "OPTIONS",
    url: "/api/1/checks/x",
    headers: { origin: "https://page.example", "access-control-request-method": "PUT" },
  });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers["access-control-allow-origin"], "*");
  assert.match(String(preflight.headers["access-control-allow-methods"]), /PUT/);
  assert.match(String(preflight.headers["access-control-allow-headers"]), /Authorization/);
  assert.equal(preflight.headers["access-control-allow-credentials"], undefined);
  const refused = await cast.ask("nobody", "GET /checks");
  assert.equal(refused.headers["access-control-allow-origin"], "*");
});

const authorized = (cast: ApiFixture): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${cast.alice.token}:any`).toString("base64")}`,
});

const refusals = [
  {
    name: "an unknown path",
    method: "GET",
    url: "/nothing?token=secret",
    status: 404,
    body: { error: 'no such path "/nothing"' },
  },
  {
    name: "an unknown resource",
    method: "GET",
    url: "/api/1/things",
    status: 404,
    body: { error: 'no such resource "things"' },
  },
  {
    name: "a path that is too long",
    method: "GET",
    url: "/api/1/checks/a/b",
    status: 404,
    body: { error: 'no such path below "checks"' },
  },
  {
    name: "no resource",
    method: "GET",
    url: "/api/1/",
    status: 404,
    body: { error: 'no such path "/api/1/"' },
  },
  {
    name: "a resource called as a property of all objects",
    method: "GET",
    url: "/api/1/constructor",
    status: 404,
    body: { error: 'no such resource "constructor"' },
  },
  {
    name: "a verb the resource does not have",
    method: "PUT",
    url: "/api/1/notifications",
    status: 405,
    body: { error: "method PUT is not supported on notifications" },
  },
  {
    name: "a verb of none",
    method: "PATCH",
    url: "/api/1/checks",
    status: 405,
    body: { error: "method PATCH is not supported on checks" },
  },
  {
    name: "an action it does not have",
    method: "GET",
    url: "/api/1/checks?action=explode",
    status: 400,
    body: { error: 'action: not known on checks "EXPLODE"' },
  },
  {
    name: "an action that is a property of all objects",
    method: "GET",
    url: "/api/1/checks?action=constructor",
    status: 400,
    body: { error: 'action: not known on checks "CONSTRUCTOR"' },
  },
  {
    name: "an action with line separators, which stays on one line,",
    method: "GET",
    url: "/api/1/checks?action=a%E2%80%A8%E2%80%A9",
    status: 400,
    body: { error: String.raw`action: not known on checks "A\u2028\u2029"` },
  },
  {
    name: "a bad escape",
    method: "GET",
    url: "/api/1/checks/%zz",
    status: 400,
    body: { error: "path: not valid percent-encoding" },
  },
] as const;

for (const { name, method, url, status, body } of refusals) {
  test(`${name} answers ${status}`, async () => {
    await using cast = await createApiFixture();
    const answer = await cast.app.inject({ method, url, headers: authorized(cast) });
    assert.equal(answer.statusCode, status);
    assert.deepEqual(answer.json(), body);
  });
}

test("a verb that is not offered is answered with those that are", async () => {
  await using cast = await createApiFixture();
  const { headers } = await cast.ask(cast.alice, "DELETE /results/x");
  assert.equal(headers.allow, "GET");
});

// guard: size of requests
test("a body of more than a mebibyte answers 413, and one of just that is read", async () => {
  await using cast = await createApiFixture();
  const padded = (bytes: number): object => ({
    ...plainCheck,
    unknown: "x".repeat(bytes - JSON.stringify({ ...plainCheck, unknown: "" }).length),
  });
  assert.equal((await cast.ask(cast.alice, "POST /checks", padded(1_048_576))).status, 200);
  const tooLarge = await cast.ask(cast.alice, "POST /checks", padded(1_048_577));
  assert.equal(tooLarge.status, 413);
  assert.deepEqual(tooLarge.body, { error: "body: larger than 1048576 bytes" });
});

test("HEAD answers as GET without its body", async () => {
  await using cast = await createApiFixture();
  const answer = await cast.app.inject({
    method: "HEAD",
    url: "/api/1/accounts",
    headers: authorized(cast),
  });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.body, "");
});

test("the action stands in for the verb, in any case and by any verb", async () => {
  await using cast = await createApiFixture();
  const { body: made } = testResponse(
    await cast.app.inject({
      url: `/api/1/checks?action=post&type=http&target=http://a.example&token=${cast.alice.token}`,
    }),
  );
  assert.equal(made.type, "HTTP");
  const renamed = await cast.app.inject({
    method: "POST",
    url: `/api/1/checks/${made._id}`,
    headers: authorized(cast),
    payload: { action: "Put", label: "new" },
  });
  assert.equal(renamed.json().label, "new");
  const removed = await cast.app.inject({
    url: `/api/1/checks/${made._id}?action=DELETE`,
    headers: authorized(cast),
  });
  assert.deepEqual(removed.json(), { ok: true, id: made._id });
});

test("a named operation is posted as it is read, and the verbs of the resource stay what they are", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  const { headers, status } = await cast.ask(cast.alice, "POST /results/x");
  assert.deepEqual([status, headers.allow], [405, "GET"]);
  const posted = await cast.ask(cast.alice, `POST /results/uptime/${made._id}`);
  assert.equal(posted.status, 200);
  assert.deepEqual(
    posted.body,
    (await cast.ask(cast.alice, `GET /results/uptime/${made._id}`)).body,
  );
  const put = await cast.ask(cast.alice, `PUT /results/uptime/${made._id}`);
  assert.equal(put.status, 404);
});

// guard: opaque internal errors
test("an error of ours stays opaque: its text is in the log under the reference in the response", async () => {
  await using cast = await createApiFixture({
    locations: () => {
      throw new Error("password hunter2");
    },
  });
  const { status, body } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    runlocations: "eur",
  });
  assert.equal(status, 500);
  const [, reference = "none"] = /^Internal error, reference (\S+)$/.exec(body.error) ?? [];
  assert.ok(
    cast.logged.some(
      (line) =>
        line.includes("api.internal_error") && line.includes(reference) && line.includes("hunter2"),
    ),
  );
});

// guard: tokens in the paths of logs
// guard: tokens in logs
test("a token is in no log line, however it was sent", async () => {
  await using cast = await createApiFixture();
  const { token } = cast.alice;
  await cast.app.inject({ url: `/api/1/checks?token=${token}` });
  await cast.app.inject({ method: "POST", url: "/api/1/checks", payload: { token, type: "HTTP" } });
  await cast.app.inject({ url: `/api/1/nothing?token=${token}` });
  await cast.app.inject({ url: `/api/1/checks/${token}` });
  await cast.ask(cast.alice, "GET /checks/missing");
  assert.equal(cast.logged.length, 5);
  assert.ok(!cast.logged.join().includes(token));
});

test("a store that cannot commit answers 503, and when to come back", async () => {
  await using cast = await createApiFixture();
  const { Unavailable } = await import("../../kit/errors.ts");
  await using broken = await createApiFixture({
    store: {
      ...cast.store,
      write: () => Promise.reject(new Unavailable("the store cannot commit")),
    },
  });
  const { status, body, headers } = await broken.ask(cast.alice, "POST /checks", plainCheck);
  assert.equal(status, 503);
  assert.deepEqual(body, { error: "the store cannot commit" });
  assert.equal(headers["retry-after"], "5");
});

test("a long list arrives whole, in pieces", async () => {
  await using cast = await createApiFixture();
  await cast.store.write(async (tx) => {
    for (let number = 0; number < 1200; number += 1) {
      await tx.checks.insert(
        aCheck(`${cast.alice.account.id}-${String(number).padStart(8, "0")}`, {
          accountId: cast.alice.account.id,
        }),
      );
    }
  });
  const port = await listening(cast);
  const answer = await fetch(`http://127.0.0.1:${port}/api/1/checks?token=${cast.alice.token}`);
  assert.equal(answer.headers.get("content-length"), null);
  assert.equal(Object.keys(Object(await answer.json())).length, 1200);
});

test("a read that breaks on its way ends the connection, so that half a list is not taken for a whole one", async () => {
  await using cast = await createApiFixture();
  await using broken = await createApiFixture({
    store: {
      ...cast.store,
      alerts: { ...cast.store.alerts },
      checks: {
        ...cast.store.checks,
        async *list(accountId) {
          const { body } = await cast.ask(cast.alice, "POST /checks", plainCheck);
          const found = await cast.store.checks.find(accountId, body._id);
          assert.ok(found);
          for (let page = 0; page < 200; page += 1) yield [found];
          throw new Error("disk gone");
        },
      },
    },
  });
  const port = await listening(broken);
  const answer = await fetch(`http://127.0.0.1:${port}/api/1/checks?token=${cast.alice.token}`);
  await assert.rejects(answer.text());
  assert.ok(
    broken.logged.some(
      (line) => line.includes("api.response_aborted") && line.includes("disk gone"),
    ),
  );
});
