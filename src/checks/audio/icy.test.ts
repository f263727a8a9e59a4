import assert from "node:assert/strict";
import test from "node:test";

import { waitFor } from "../../../test/time/wait-for.ts";
import { contextOf } from "../../../test/contracts/check-type.ts";
import { tcpPeer, type SocketHandler } from "../../../test/peers/tcp.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { exchange, type HttpResponse } from "../../kit/http/exchange.ts";
import { icyAsHttp } from "./audio.ts";

async function answerOf(manner: SocketHandler): Promise<HttpResponse> {
  await using peer = await tcpPeer(manner);
  const answer = await exchange(
    {
      url: new URL(`http://127.0.0.1:${peer.port}/`),
      method: "GET",
      readBody: true,
      verifyTls: false,
      wrapSocket: icyAsHttp,
    },
    contextOf(),
  );
  await waitFor("the connection is closed", () => peer.open() === 0);
  return answer;
}

/** Says the bytes in pieces, each in a turn of the loop of its own, once something is asked. */
function saying(pieces: readonly (string | Buffer)[]): SocketHandler {
  return (socket) =>
    socket.once("data", () => {
      void (async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await drainEventLoop();
        }
        socket.end();
      })();
    });
}

const HEAD = "ICY 200 OK\r\nicy-br:128\r\ncontent-type:audio/mpeg\r\n\r\n";

const ways = [
  { name: "at once", pieces: [`${HEAD}ICY 200 OK`] },
  { name: "letter by letter", pieces: `${HEAD}ICY 200 OK`.split("") },
  { name: "cut in its first word", pieces: ["IC", `Y${HEAD.slice(3)}`, "ICY 200 OK"] },
  { name: "in HTTP", pieces: [HEAD.replace("ICY", "HTTP/1.1"), "ICY 200 OK"] },
];

for (const { name, pieces } of ways) {
  test(`an answer that comes ${name} is read as it is`, async () => {
    const { status, headers, body } = await answerOf(saying(pieces));
    assert.deepEqual([status, headers], [200, { "icy-br": "128", "content-type": "audio/mpeg" }]);
    assert.equal(Buffer.from(body).toString(), "ICY 200 OK");
  });
}

test("what is sent reaches the other side", async () => {
  let received = "";
  await answerOf((socket) =>
    socket.once("data", (bytes) => {
      received = bytes.toString();
      socket.end(HEAD);
    }),
  );
  assert.match(received, /^GET \/ HTTP\/1\.1\r\n/);
});

test("bytes that are no text stay as they are", async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const { body } = await answerOf(saying([HEAD, bytes]));
  assert.deepEqual(Buffer.from(body), bytes);
});

const bad = [
  { name: "nothing", manner: saying([]), code: "ECONNRESET" },
  { name: "too little to tell", manner: saying(["IC"]), code: "ECONNRESET" },
  { name: "the other word alone", manner: saying(["ICY "]), code: "ECONNRESET" },
  { name: "another word", manner: saying(["ICE 200 OK\r\n\r\n"]), code: "protocol_error" },
] as const;

for (const { name, manner, code } of bad) {
  test(`an answer of ${name} is the error ${code}`, async () => {
    await assert.rejects(answerOf(manner), { code });
  });
}
