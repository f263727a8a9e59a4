import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";

import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { readBody } from "./read-body.ts";

/** A request whose body comes in equal pieces. */
function requestOf(pieces: number, headers: IncomingHttpHeaders, text = "x"): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers = headers;
  for (let piece = 0; piece < pieces; piece += 1) request.push(text);
  request.push(null);
  return request;
}

const chunked = { "transfer-encoding": "chunked" };

test("a body in pieces is read into one buffer, which grows by what arrives", async () => {
  const grown: number[] = [];
  const body = await readBody(requestOf(4096, chunked), {
    mostBytes: 2 ** 20,
    grow: (bytes) => void grown.push(bytes),
  });
  assert.equal(Buffer.from(body).toString(), "x".repeat(4096));
  assert.deepEqual(grown, [], "a small body is not counted");
});

test("a body in more pieces than allowed is refused, though it is short", async () => {
  await assert.rejects(readBody(requestOf(4097, chunked), { mostBytes: 2 ** 20, grow() {} }), {
    code: "invalid_input",
    message: "body: in more than 4096 pieces, send larger chunks",
  });
});

test("a body that is longer than allowed is refused by the length that it announces, and else by what arrives", async () => {
  const limits = { mostBytes: 10, grow() {} };
  const tooLarge = { code: "too_large", message: "body: larger than 10 bytes" };
  const announced = requestOf(1, { "content-length": "11" });
  await assert.rejects(readBody(announced, limits), tooLarge);
  assert.equal(announced.readableFlowing, null, "nothing of it was read");
  await assert.rejects(readBody(requestOf(11, chunked), limits), tooLarge);
});

test("a refusal of the memory that a body needs ends the reading", async () => {
  const refused = new Error("no room");
  const request = requestOf(2500, { "content-length": "5000" }, "xx");
  const grow = (): never => {
    throw refused;
  };
  await assert.rejects(readBody(request, { mostBytes: 2 ** 20, grow }), refused);
  await drainEventLoop();
  assert.equal(request.isPaused(), true);
});
