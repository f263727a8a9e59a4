import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { distantPeer } from "./distant.ts";
import { tcpPeer } from "./tcp.ts";

test("what is sent arrives in order, also where the way becomes shorter while it is under way", async () => {
  await using echo = await tcpPeer((socket) => void socket.pipe(socket));
  await using far = await distantPeer({ port: echo.port, roundTripMs: 200 });
  const socket = connect({ port: far.port, host: far.host, noDelay: true });
  await once(socket, "connect");
  const answered = text(socket);
  socket.write("one ");
  await new Promise((resolve) => socket.write("two ", resolve));
  setTimeout(() => {
    far.roundTripMs = 0;
    socket.end("three");
  }, 20);
  assert.equal(await answered, "one two three");
});
