import assert from "node:assert/strict";
import { test } from "node:test";

import type { FastifyInstance } from "fastify";

import { apiCast } from "../../test/api-cast.ts";
import type { Cast } from "../../test/api-cast.ts";
import { pages } from "../web/pages.ts";
import { createMetrics } from "./metrics.ts";
import { createHttpServer } from "./server.ts";

function serverOf({ deps }: Cast): FastifyInstance {
  return createHttpServer({
    api: deps,
    push() {},
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
