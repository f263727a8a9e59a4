import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { once } from "node:events";
import { test } from "node:test";

import { networkTrouble } from "./network-error.ts";

test("a port that fetch refuses is said to be that of another protocol", async () => {
  assert.equal(
    await troubleOf("http://127.0.0.1:25/"),
    "no HTTP client connects to this port: it is one of another protocol",
  );
});

async function troubleOf(url: string): Promise<string> {
  const error: unknown = await fetch(url).then(
    () => undefined,
    (each: unknown) => each,
  );
  return networkTrouble(error);
}

for (const [title, answer, scheme, words] of [
  [
    "is reset",
    (socket: Socket) => socket.resetAndDestroy(),
    "http",
    "the connection was closed before the response was complete",
  ],
  [
    "is closed",
    (socket: Socket) => socket.end(),
    "http",
    "the connection was closed before the response was complete",
  ],
  [
    "answers something else",
    (socket: Socket) => socket.end("220 mail ESMTP\r\n"),
    "http",
    "the response is not HTTP",
  ],
  [
    "does not speak TLS",
    (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    "https",
    "it does not speak TLS; is it http:// rather than https://?",
  ],
] as const)
  test(`a server that ${title} is described in words`, async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const { port } = address;
    const trouble = await troubleOf(`${scheme}://127.0.0.1:${port}/`);
    server.close();
    await once(server, "close");
    assert.equal(trouble, words);
    if (title === "is closed")
      assert.equal(
        await troubleOf(`http://127.0.0.1:${port}/`),
        "nothing listens there, or a firewall refuses the connection",
      );
  });

test("codes of the system are words, and what has none keeps its message", () => {
  const failed = (cause: unknown): string =>
    networkTrouble(new TypeError("fetch failed", { cause }));
  const withCode = (code: string): Error => Object.assign(new Error(`read ${code}`), { code });
  assert.equal(failed(withCode("EAI_AGAIN")), "the DNS server of this machine does not answer");
  assert.equal(failed(withCode("ENOTFOUND")), "there is no such host name");
  assert.equal(networkTrouble(new Error("no answer in 60 s")), "no answer in 60 s");
});
