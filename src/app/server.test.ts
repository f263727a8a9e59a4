import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import type { FastifyInstance } from "fastify";

import { apiCast } from "../../test/api-cast.ts";
import type { Cast } from "../../test/api-cast.ts";
import { portOf } from "../../test/peers/tcp.ts";
import { createPushHandler } from "../push/handler.ts";
import type { Intake } from "../push/intake.ts";
import { pages } from "../web/pages.ts";
import { createMetrics } from "./metrics.ts";
import { createHttpServer } from "./server.ts";

function serverOf({ deps }: Cast): FastifyInstance {
  const intake: Intake = {
    accept: async () => "accepted",
    find: async () => undefined,
    forget() {},
    openSince: () => 0,
  };
  return createHttpServer({
    api: deps,
    push: createPushHandler({ ...deps, intake }),
    metrics: createMetrics({ planned: () => 0, canCommit: () => true }),
    unready: () => [],
  });
}

test("a page is served once: who has it is told that it has not changed", async () => {
  await using cast = await apiCast();
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

test("the reference shows the document that is served beside it", async () => {
  await using cast = await apiCast();
  await using server = serverOf(cast);
  const { body } = await server.inject({ url: "/docs/reference.js" });
  const [, url = ""] = /url: "([^"]+)"/.exec(body) ?? [];
  assert.equal((await server.inject({ url })).json().openapi, "3.1.0");
});

test("no part of the address takes a request without a Host where HTTP demands one", async () => {
  await using cast = await apiCast();
  await using server = serverOf(cast);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const port = portOf(server.server);
  for (const line of ["POST /v1?id=a&checktoken=b", "GET /api/1/checks", "GET /healthz", "GET /"]) {
    const refused = await raw(port, `${line} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    assert.match(refused, /^HTTP\/1.1 400 [^]*\{"error":"the request has no Host header"\}$/);
    assert.doesNotMatch(await raw(port, `${line} HTTP/1.0\r\n\r\n`), /^HTTP\/1.1 400 /);
  }
});

async function raw(port: number, request: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(request);
  return text(socket);
}
