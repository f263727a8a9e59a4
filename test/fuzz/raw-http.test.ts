import assert from "node:assert/strict";
import { test } from "node:test";

import { tcpPeer } from "../peers/tcp.ts";
import { exchange, textOf, type Request } from "./raw-http.ts";

const request: Request = {
  operationId: "",
  verb: "POST",
  origin: "",
  url: "/a?b",
  user: "token",
  contentType: "text/plain",
  body: "four",
  isChunked: false,
  corruption: undefined,
};

test("a request is written as it stands, its body with its length or in a chunk", () => {
  const head =
    "POST /a?b HTTP/1.1\r\nHost: watchpost.example\r\nConnection: close\r\nAuthorization: Basic dG9rZW46\r\nContent-Type: text/plain\r\n";
  assert.equal(textOf(request), `${head}Content-Length: 4\r\n\r\nfour`);
  assert.equal(
    textOf({ ...request, isChunked: true }),
    `${head}Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n`,
  );
});

const answers = [
  {
    name: "of some length",
    text: "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n\xc3\xa9!",
    body: "é!",
  },
  {
    name: "in chunks",
    text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
    body: "abc",
  },
  {
    name: "after leave to go on",
    text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na",
    body: "a",
  },
  {
    name: "before the refusal of what follows",
    text: "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 400 Bad Request\r\n\r\n",
    body: "a",
  },
];

for (const { name, text, body } of answers) {
  test(`an answer ${name} is read`, async () => {
    await using peer = await tcpPeer((socket) => socket.end(text, "latin1"));
    const response = await exchange(peer.port, request);
    assert.deepEqual([response.status, response.body], [200, body]);
  });
}

const broken = [
  { name: "nothing", text: "" },
  { name: "half a head", text: "HTTP/1.1 200 OK\r\ncontent-le" },
  { name: "no HTTP", text: "220 ready\r\n\r\n" },
  { name: "less than it has", text: "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab" },
  { name: "more than it has", text: "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab" },
  {
    name: "no last chunk",
    text: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n",
  },
];

for (const { name, text } of broken) {
  test(`an answer that is ${name} is none`, async () => {
    await using peer = await tcpPeer((socket) => socket.end(text, "latin1"));
    await assert.rejects(exchange(peer.port, request), Error);
  });
}
