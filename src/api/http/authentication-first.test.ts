import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { portOf } from "../../../test/peers/tcp.ts";
import { TEST_DEADLINE_MS } from "../../../test/time/wait-for.ts";
import { createApiFixture, type ApiFixture } from "../../../test/api-fixture.ts";

interface Sent {
  readonly query?: string;
  readonly headers?: readonly string[];
  readonly body: string;
  /** Announced length of the body, if only part of it is sent. */
  readonly announced?: number;
}

const REFUSAL = "HTTP/1.1 403 Forbidden";

async function open({ app }: ApiFixture): Promise<Socket> {
  if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
  return connect({ host: "127.0.0.1", port: portOf(app.server) });
}

function post({ query = "", headers = [], body, announced = body.length }: Sent): string {
  return [
    `POST /api/1/checks${query} HTTP/1.1`,
    "Host: x",
    `Content-Length: ${announced}`,
    ...headers,
    "",
    body,
  ].join("\r\n");
}

/** Everything that is answered until the connection ends; the client does not end it. */
async function answerTo(cast: ApiFixture, sent: Sent): Promise<string> {
  const socket = await open(cast);
  socket.write(post(sent));
  return text(socket);
}

const basicOf = (user: string): string => `Basic ${btoa(`${user}:`)}`;
const strangers = [
  { name: "in the query", query: "?token=UNKNOWN" },
  { name: "in the JSON of the query", query: `?json=${encodeURIComponent('{"token":"UNKNOWN"}')}` },
  { name: "as the user name", headers: [`Authorization: ${basicOf("UNKNOWN")}`] },
  { name: "twice", query: "?token=a&token=b" },
];

suite("a token that does not exist", { timeout: TEST_DEADLINE_MS }, () => {
  for (const { name, ...sent } of strangers) {
    // guard: authentication before bodies
    test(`${name} is refused before a byte of the body has come, and the connection ends`, async () => {
      await using cast = await createApiFixture();
      const answer = await answerTo(cast, { ...sent, body: "", announced: 1_000_000 });
      assert.ok(answer.startsWith(REFUSAL), answer);
      assert.match(answer, /\r\nconnection: close\r\n/i);
    });
  }

  test("is not asked for the body where the client waits for that", async () => {
    await using cast = await createApiFixture();
    const expecting = { body: "", announced: 9, headers: ["Expect: 100-continue"] };
    const refused = await answerTo(cast, { ...expecting, query: "?token=UNKNOWN" });
    assert.ok(refused.startsWith(REFUSAL), refused);
    const socket = await open(cast);
    socket.write(post({ ...expecting, query: `?token=${cast.alice.token}` }));
    const [asked] = await socket.take(1).map(String).toArray();
    assert.equal(asked, "HTTP/1.1 100 Continue\r\n\r\n");
    socket.destroy();
  });

  test("leaves the connection open where the whole body has come with it", async () => {
    await using cast = await createApiFixture();
    const socket = await open(cast);
    const refused = post({ query: "?token=UNKNOWN", body: "{}" });
    socket.write(
      refused + post({ query: "?token=UNKNOWN", body: "{}", headers: ["Connection: close"] }),
    );
    assert.equal((await text(socket)).split(REFUSAL).length - 1, 2);
  });
});

suite("a body that has the token in it", { timeout: TEST_DEADLINE_MS }, () => {
  const check = (token: string, padding: number): string =>
    JSON.stringify({ token, type: "HTTP", target: "http://a.example/", x: "y".repeat(padding) });
  const send = async (cast: ApiFixture, body: string, query = ""): Promise<number> =>
    (await cast.app.inject({ method: "POST", url: `/api/1/checks${query}`, body })).statusCode;

  // guard: bodies of strangers
  test("counts by its size until the token is found, and costs nothing then", async () => {
    await using cast = await createApiFixture({ unknownPerMinute: 8 });
    for (let time = 0; time < 5; time += 1)
      assert.equal(await send(cast, check(cast.alice.token, 100_000)), 200);
    assert.equal(await send(cast, check("UNKNOWN", 100_000)), 403);
    assert.equal(await send(cast, check(cast.alice.token, 100_000)), 429);
    const byQuery = `?token=${cast.alice.token}`;
    assert.equal(await send(cast, check(cast.alice.token, 100_000), byQuery), 200);
    await cast.clock.advance(60_000);
    assert.equal(await send(cast, check(cast.alice.token, 100_000)), 200);
  });

  // guard: tokens that do not exist
  test("is read where it is small, whoever else has sent what from the address", async () => {
    await using cast = await createApiFixture({ unknownPerMinute: 2 });
    assert.equal(await send(cast, check("UNKNOWN", 0)), 403);
    assert.equal(await send(cast, "", "?token=UNKNOWN"), 403);
    const { statusCode, headers, body } = await cast.app.inject({
      url: "/api/1/checks?token=UNKNOWN",
    });
    assert.deepEqual([statusCode, headers["retry-after"]], [429, "60"]);
    assert.match(body, /more than 2 requests a minute from one address whose token does not exist/);
    assert.equal(await send(cast, check(cast.alice.token, 0)), 200);
  });
});

test("no refusal asks a browser for a password, which it would then send from every page", async () => {
  await using cast = await createApiFixture({ unknownPerMinute: 1 });
  for (const [url, authorization] of [
    ["/api/1/checks", undefined],
    ["/api/1/checks?token=UNKNOWN", undefined],
    ["/api/1/checks", basicOf("UNKNOWN")],
    ["/api/1/accounts?customerid=202601010000ABCDE", basicOf(cast.alice.token)],
    ["/api/1/nothing", basicOf(cast.alice.token)],
    ["/nothing", undefined],
  ] as const) {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await cast.app.inject({ url, headers });
    assert.ok(
      answer.statusCode >= 400 && answer.statusCode !== 401,
      `${url}: ${answer.statusCode}`,
    );
    assert.equal(answer.headers["www-authenticate"], undefined);
  }
});

test("a head of 64 KiB is read, and no more", async () => {
  await using cast = await createApiFixture();
  const query = (characters: number): string =>
    `?token=${cast.alice.token}&x=${"y".repeat(characters)}`;
  const accepted = await answerTo(cast, {
    query: query(60_000),
    headers: ["Connection: close"],
    body: "",
  });
  assert.match(accepted, /^HTTP\/1.1 400 [^]*type: required/);
  const refused = await answerTo(cast, { query: query(66_000), body: "" });
  assert.match(refused, /^HTTP\/1.1 431 /);
});

for (const framing of ["Content-Length: 65536", "Transfer-Encoding: chunked"]) {
  test(`a long response that needs no body is whole, though one came with ${framing}`, async () => {
    await using cast = await createApiFixture();
    const socket = await open(cast);
    const body = "x".repeat(65_536);
    const sent = framing.startsWith("C") ? body : `10000\r\n${body}\r\n0\r\n\r\n`;
    socket.write(
      `GET /api/1/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${framing}\r\n\r\n${sent}`,
    );
    const [head = "", json = ""] = (await text(socket)).split(/\r\n\r\n(.*)/s);
    assert.match(head, /^HTTP\/1.1 200 OK/);
    assert.equal(JSON.parse(json).openapi, "3.1.0");
  });
}
