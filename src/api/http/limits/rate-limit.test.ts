import assert from "node:assert/strict";
import { test } from "node:test";

import { testResponse, createApiFixture } from "../../../../test/api-fixture.ts";

// guard: rate of tokens
test("a token has so many requests a minute, and every answer says how many are left", async () => {
  await using cast = await createApiFixture({ rateLimits: { perToken: 2, perAddress: 0 } });
  const first = await cast.ask(cast.alice, "GET /accounts");
  assert.equal(first.status, 200);
  assert.equal(first.headers["ratelimit-policy"], '"token";q=2;w=60');
  assert.match(String(first.headers.ratelimit), /^"token";r=1;t=\d+$/);
  await cast.ask(cast.alice, "GET /accounts");
  const third = await cast.ask(cast.alice, "GET /accounts");
  assert.equal(third.status, 429);
  assert.deepEqual(third.body, { error: "more than 2 requests a minute from one token" });
  assert.match(String(third.headers.ratelimit), /^"token";r=0;t=\d+$/);
  assert.ok(
    Number(third.headers["retry-after"]) >= 1 && Number(third.headers["retry-after"]) <= 60,
  );
  assert.equal((await cast.ask(cast.carol, "GET /accounts")).status, 200, "others are not held up");
});

// guard: rate of client addresses
test("an address has so many requests a minute, whatever token they carry, and they cost nothing before", async () => {
  await using cast = await createApiFixture({ rateLimits: { perToken: 5, perAddress: 2 } });
  await cast.ask("nobody's token", "GET /accounts");
  const second = await cast.ask(cast.alice, "GET /accounts");
  assert.equal(second.headers["ratelimit-policy"], '"address";q=2;w=60, "token";q=5;w=60');
  assert.match(String(second.headers.ratelimit), /^"address";r=0;t=\d+, "token";r=4;t=\d+$/);
  const third = await cast.ask(cast.alice, "GET /accounts");
  assert.deepEqual(third.body, { error: "more than 2 requests a minute from one address" });
});

test("a path that is written in another way is counted and logged all the same", async () => {
  await using cast = await createApiFixture({ rateLimits: { perToken: 0, perAddress: 1 } });
  const url = `/%61pi/1/%63hecks?token=${cast.alice.token}`;
  assert.equal((await cast.app.inject({ url })).statusCode, 200);
  assert.equal((await cast.app.inject({ url })).statusCode, 429);
  assert.equal(cast.logged.filter((line) => line.includes('"api.request"')).length, 2);
});

// guard: addresses that proxies send
test("behind a trusted proxy the address is the client's, and a stranger cannot lie about his", async () => {
  await using cast = await createApiFixture({
    rateLimits: { perToken: 0, perAddress: 1 },
    trustedProxies: ["127.0.0.1"],
  });
  const from = async (forwarded: string, remoteAddress: string): Promise<number> =>
    testResponse(
      await cast.app.inject({
        url: "/api/1/openapi.json",
        headers: { "x-forwarded-for": forwarded },
        remoteAddress,
      }),
    ).status;
  assert.equal(await from("192.0.2.1", "127.0.0.1"), 200);
  assert.equal(await from("192.0.2.2", "127.0.0.1"), 200);
  assert.equal(await from("192.0.2.1", "127.0.0.1"), 429);
  assert.equal(await from("192.0.2.3", "198.51.100.7"), 200);
  assert.equal(await from("192.0.2.4", "198.51.100.7"), 429);
});

test("without limits no answer speaks of them", async () => {
  await using cast = await createApiFixture();
  const { headers } = await cast.ask(cast.alice, "GET /accounts");
  assert.equal(headers.ratelimit, undefined);
  assert.equal(headers["ratelimit-policy"], undefined);
});

test("a client over its limit gets 429 in legacy mode too", async () => {
  await using cast = await createApiFixture({
    rateLimits: { perToken: 1, perAddress: 0 },
    compatibility: "legacy",
  });
  await cast.ask(cast.alice, "GET /accounts");
  assert.equal((await cast.ask(cast.alice, "GET /accounts")).status, 429);
});

test("of processes that share the requests each allows a part, by how many there are at the moment", async () => {
  let live = 2;
  await using cast = await createApiFixture({
    rateLimits: { perToken: 3, perAddress: 0, processes: () => live },
  });
  const policyAndStatus = async () => {
    const { status, headers } = await cast.ask(cast.alice, "GET /accounts");
    return [status, headers["ratelimit-policy"]];
  };
  const half = '"token";q=2;w=60';
  assert.deepEqual(await policyAndStatus(), [200, half]);
  assert.deepEqual(await policyAndStatus(), [200, half]);
  assert.deepEqual(await policyAndStatus(), [429, half]);
  live = 1;
  assert.deepEqual(await policyAndStatus(), [429, '"token";q=3;w=60'], "the refused one counts");
});
