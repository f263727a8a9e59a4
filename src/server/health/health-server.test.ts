import assert from "node:assert/strict";
import { test } from "node:test";

import { unlimitedConnections } from "../../../test/harnesses/unlimited.ts";
import { createHealthServer } from "./health-server.ts";

function serverWith(unready: readonly string[], degraded: readonly string[] = []) {
  return createHealthServer({
    health: {
      metrics: { expose: async () => ({ body: "a 1", contentType: "text/plain" }) },
      metricsToken: undefined,
      unready: () => unready,
      degraded: () => degraded,
      problems: () => [],
    },
    connections: unlimitedConnections,
  });
}

test("a process without the API says how it is, and nothing else", async () => {
  await using server = serverWith([]);
  const ask = async (url: string, headers = {}) => {
    const { statusCode, body } = await server.inject({ url, headers });
    return [statusCode, body];
  };
  assert.deepEqual(await ask("/healthz"), [200, '{"ok":true}']);
  assert.deepEqual(await ask("/readyz"), [200, '{"ready":true,"reasons":[],"problems":[]}']);
  assert.deepEqual(await ask("/metrics"), [200, "a 1"]);
  const [refused] = await ask("/metrics", { "x-forwarded-for": "192.0.2.1" });
  assert.equal(refused, 403);
  for (const url of ["/", "/api/1/checks", "/v1?id=a&checktoken=b"]) {
    const [status, body] = await ask(url);
    assert.equal(status, 404);
    assert.match(String(body), /^\{"error":"this process serves \/healthz/);
  }
});

test("it is not ready while one of its roles does not go on", async () => {
  await using server = serverWith(["no location is live, so no check can be run"]);
  const { statusCode, body } = await server.inject({ url: "/readyz" });
  assert.equal(statusCode, 503);
  assert.match(body, /"reasons":\["no location is live/);
});

test("a location that cannot judge its targets is named, while heartbeats are still received", async () => {
  await using server = serverWith([], ["the resolver of location ld does not answer"]);
  const { statusCode, body } = await server.inject({ url: "/readyz" });
  assert.equal(statusCode, 200);
  assert.deepEqual(JSON.parse(body), {
    ready: true,
    reasons: [],
    degraded: ["the resolver of location ld does not answer"],
    problems: [],
  });
});
