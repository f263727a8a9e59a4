import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import type { FastifyInstance } from "fastify";

import { createApiFixture, type ApiFixture } from "../../test/api-fixture.ts";
import { portOf } from "../../test/peers/tcp.ts";
import { pages } from "../web/pages.ts";
import { createUnsubscribeLinks, unsubscribePath } from "../channels/mail/unsubscribe.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { createUnsubscribePage } from "../web/unsubscribe.ts";
import { httpServer } from "../../test/harnesses/http-server.ts";

const unsubscribing = createUnsubscribeLinks({
  sealer: createSealer(new Uint8Array(32)),
  url: "https://watch.example.org/base",
});

function serverOf({ deps }: ApiFixture): FastifyInstance {
  return httpServer({
    deps,
    linkPages: { [unsubscribePath]: createUnsubscribePage({ ...deps, unsubscribing }) },
  });
}

test("a page is served once: who has it gets 304", async () => {
  await using cast = await createApiFixture();
  await using server = serverOf(cast);
  for (const { path, headers, etag, body } of pages) {
    const first = await server.inject({ url: path });
    assert.equal(first.statusCode, 200);
    assert.deepEqual(first.rawPayload, body);
    for (const [name, value] of Object.entries(headers)) assert.equal(first.headers[name], value);
    const again = await server.inject({ url: path, headers: { "if-none-match": etag } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, "");
    const changed = await server.inject({ url: path, headers: { "if-none-match": '"older"' } });
    assert.equal(changed.statusCode, 200);
  }
});

test("the reference shows every operation of the document that is served beside it, compressed where that is accepted", async () => {
  await using cast = await createApiFixture();
  await using server = serverOf(cast);
  const { paths } = (await server.inject({ url: "/api/1/openapi.json" })).json();
  const { body, headers } = await server.inject({ url: "/docs" });
  const operations = Object.values<object>(paths).flatMap((byVerb) => Object.values(byVerb));
  assert.ok(operations.length > 100);
  for (const { operationId } of operations)
    assert.equal(body.split(` id="${operationId}"`).length, 2, operationId);
  assert.match(
    String(headers["content-security-policy"]),
    /^default-src 'none'; script-src 'self'/,
  );
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
  for (const [, id = ""] of body.matchAll(/ href="#([^"]+)"/g)) assert.ok(ids.has(id), id);
  for (const [coding, decompress] of [
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const) {
    const packed = await server.inject({ url: "/docs", headers: { "accept-encoding": coding } });
    assert.equal(packed.headers["content-encoding"], coding);
    assert.equal(decompress(packed.rawPayload).toString("utf8"), body);
  }
  const known = { "if-none-match": String(headers.etag) };
  assert.equal((await server.inject({ url: "/docs", headers: known })).statusCode, 304);
});

test("no part of the address takes a request without a Host where HTTP demands one, or with two", async () => {
  await using cast = await createApiFixture();
  await using server = serverOf(cast);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const port = portOf(server.server);
  for (const line of ["POST /v1?id=a&checktoken=b", "GET /api/1/checks", "GET /healthz", "GET /"]) {
    const refused = await raw(port, `${line} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    assert.match(refused, /^HTTP\/1.1 400 [^]*\{"error":"the request has no Host header"\}$/);
    assert.doesNotMatch(await raw(port, `${line} HTTP/1.0\r\n\r\n`), /^HTTP\/1.1 400 /);
    const two = await raw(port, `${line} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);
    assert.match(two, /^HTTP\/1.1 400 [^]*"the request has more than one Host header"/);
  }
});

async function raw(port: number, request: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(request);
  return text(socket);
}

suite("the link of a mail that stops further ones", () => {
  /** Alice's contact with two mailboxes, and the path of the link to the first. */
  async function withLink(
    cast: ApiFixture,
  ): Promise<{ path: string; contactId: string; ids: string[] }> {
    const { body } = await cast.ask(cast.alice, "POST /contacts", {
      name: "Ann",
      custrole: "notify",
      newaddresses: [
        { address: "ann@example.net", type: "email" },
        { address: "other@example.net", type: "email" },
      ],
    });
    const ids = Object.keys(body.addresses);
    const [addressId = ""] = ids;
    const link = unsubscribing.linkOf({
      accountId: cast.alice.account.id,
      contactId: body._id,
      addressId,
      mailbox: "ann@example.net",
    });
    const { pathname, search } = new URL(link);
    return { path: pathname.replace("/base", "") + search, contactId: body._id, ids };
  }
  const suppressed = async (cast: ApiFixture, contactId: string): Promise<readonly unknown[]> => {
    const { body } = await cast.ask(cast.alice, `GET /contacts/${contactId}`);
    return Object.values<Record<string, unknown>>(body.addresses).map(
      ({ suppressall }) => suppressall ?? false,
    );
  };

  // guard: changes by POST alone
  test("asks first, then suppresses that address and no other", async () => {
    await using cast = await createApiFixture();
    await using server = serverOf(cast);
    const { path, contactId } = await withLink(cast);
    const asked = await server.inject({ url: path });
    assert.equal(asked.statusCode, 200);
    assert.match(asked.body, /Alerts go to ann@example\.net\..*<form method="post">/);
    assert.match(String(asked.headers["content-security-policy"]), /form-action 'self'/);
    assert.deepEqual(await suppressed(cast, contactId), [false, false]);
    for (let click = 0; click < 2; click += 1) {
      const stopped = await server.inject({
        method: "POST",
        url: path,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "List-Unsubscribe=One-Click",
      });
      assert.equal(stopped.statusCode, 200);
      assert.match(stopped.body, /No more alerts go to ann@example\.net/);
      assert.deepEqual(await suppressed(cast, contactId), [true, false]);
    }
    const after = await server.inject({ url: path });
    assert.match(after.body, /No more alerts go to ann@example\.net/);
    assert.doesNotMatch(after.body, /<form/);
  });

  // guard: proof of an unsubscription
  test("is nothing where a letter of it is another, or the address is gone", async () => {
    await using cast = await createApiFixture();
    await using server = serverOf(cast);
    const { path, contactId, ids } = await withLink(cast);
    const changed = [
      path.replace(/proof=(.)/, (_, first) => `proof=${first === "A" ? "B" : "A"}`),
      path.replace(/&proof=.*/, ""),
      path.replace(`address=${ids[0]}`, `address=${ids[1]}`),
      "/unsubscribe",
    ];
    for (const url of changed) {
      for (const method of ["GET", "POST"] as const) {
        const { statusCode, body } = await server.inject({ method, url });
        assert.deepEqual([statusCode, body.includes("@")], [404, false], url);
      }
    }
    assert.deepEqual(await suppressed(cast, contactId), [false, false]);
    await cast.ask(cast.alice, `DELETE /contacts/${contactId}`);
    assert.equal((await server.inject({ method: "POST", url: path })).statusCode, 404);
  });

  test("neither shows nor stops the mailbox that came in the place of the one it was sent to", async () => {
    await using cast = await createApiFixture();
    await using server = serverOf(cast);
    const { path, contactId, ids } = await withLink(cast);
    const [first = "", second = ""] = ids;
    const addresses = { [first]: { address: "ben@example.net" }, [second]: {} };
    await cast.ask(cast.alice, `PUT /contacts/${contactId}`, { addresses });
    for (const method of ["GET", "POST"] as const) {
      const { statusCode, body } = await server.inject({ method, url: path });
      assert.deepEqual([statusCode, body.includes("@")], [404, false], method);
    }
    assert.deepEqual(await suppressed(cast, contactId), [false, false]);
  });
});
