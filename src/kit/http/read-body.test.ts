import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { portOf } from "../../../test/peers/tcp.ts";
import { TEST_DEADLINE_MS } from "../../../test/time/wait-for.ts";
import { codeOf } from "../errors.ts";
import { createBodyMemory } from "./body-memory.ts";
import { readBody } from "./read-body.ts";

interface Site extends AsyncDisposable {
  /** Returns the response to a body with this framing: its length, or the error code. */
  readonly send: (headers: string, body: string) => Promise<string>;
  /** To how many bytes each body grew. */
  readonly grown: readonly number[];
}

async function site(limitBytes: number, maxSmallPieces = 4096, keptBytes?: number): Promise<Site> {
  const end = { bytes: keptBytes ?? 0, mayBeCut: ([first]: Uint8Array) => first !== 0x7b };
  const grown: number[] = [];
  const server: Server = createServer((request, response) => {
    readBody(request, {
      limitBytes,
      maxSmallPieces,
      grow: (bytes) => void grown.push(bytes),
      ...(keptBytes !== undefined && { end }),
    })
      .then(({ bytes, cutBytes }) =>
        response.end(
          cutBytes === 0 ? String(bytes.length) : `${cutBytes}+${bytes.length} ${bytes.at(-1)}`,
        ),
      )
      .catch((error: unknown) => response.end(codeOf(error), () => request.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    grown,
    async send(headers, body) {
      const socket = connect({ host: "127.0.0.1", port: portOf(server) });
      socket.on("error", () => {});
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n${body}`);
      return (await text(socket)).split("\r\n").at(-1) ?? "";
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const CHUNKED = "Transfer-Encoding: chunked";
const length = (bytes: number): string => `Content-Length: ${bytes}`;
const chunks = (size: number, count: number): string =>
  `${size.toString(16)}\r\n${"a".repeat(size)}\r\n`.repeat(count);

suite("a body", { timeout: TEST_DEADLINE_MS }, () => {
  test("takes memory by what has arrived, however small the chunks and however large the announcement", async () => {
    await using here = await site(1_000_000);
    assert.equal(await here.send(CHUNKED, `${chunks(1, 4000)}0\r\n\r\n`), "4000");
    assert.deepEqual(here.grown, []);
    assert.equal(await here.send(CHUNKED, `${chunks(5000, 10)}0\r\n\r\n`), "50000");
    assert.deepEqual(here.grown, [5000, 10_000, 20_000, 40_000, 80_000]);
  });

  test("of which only the end is kept takes twice the memory of that, unless its beginning refuses that", async () => {
    await using here = await site(1_000_000, 4096, 10_000);
    assert.equal(await here.send(CHUNKED, `${chunks(100, 90)}0\r\n\r\n`), "9000");
    for (const bytes of [100_000, 1_000_000]) {
      const sent = `${"a".repeat(bytes - 1)}z`;
      const [cut = 0, kept = 0] = (await here.send(length(bytes), sent)).split(/[+ ]/).map(Number);
      assert.equal(cut + kept, bytes);
      assert.ok(kept >= 10_000, String(kept));
    }
    assert.match(await here.send(CHUNKED, `${chunks(1000, 99)}1\r\nz\r\n0\r\n\r\n`), / 122$/);
    // A piece has 64 KiB at most.
    assert.ok(Math.max(...here.grown) <= 65_536, String(here.grown));
    assert.equal(await here.send(length(20_000), `{${"a".repeat(11_999)}`), "too_large");
    assert.equal(await here.send(length(1_000_001), ""), "too_large");
  });

  test("beyond the limit is refused while it arrives, or before where it announces that", async () => {
    await using here = await site(10_000);
    assert.equal(await here.send(length(10_000), "a".repeat(10_000)), "10000");
    assert.equal(await here.send(CHUNKED, `${chunks(5000, 2)}0\r\n\r\n`), "10000");
    assert.equal(await here.send(length(10_001), ""), "too_large");
    assert.equal(await here.send(CHUNKED, chunks(10_001, 1)), "too_large");
  });

  // guard: pieces of bodies
  test("in many pieces smaller than the smallest segments of TCP is refused", async () => {
    await using here = await site(1_000_000, 500);
    assert.equal(await here.send(CHUNKED, `${chunks(1, 500)}0\r\n\r\n`), "500");
    assert.equal(await here.send(CHUNKED, chunks(1, 502)), "invalid_input");
    assert.equal(await here.send(CHUNKED, `${chunks(536, 1800)}0\r\n\r\n`), "964800");
  });
});

// guard: memory of a client's bodies
// guard: memory of bodies
test("the memory of bodies is limited in all and for each client, and returned once", () => {
  const memory = createBodyMemory({ allBytes: 100, clientBytes: 60 });
  const [first, second] = [memory.open("one"), memory.open("one")];
  first.grow(40);
  second.grow(20);
  assert.throws(() => second.grow(21), { code: "unavailable", message: /from one address/ });
  const other = memory.open("two");
  other.grow(40);
  assert.throws(() => other.grow(41), { code: "unavailable", message: "body: too many at once" });
  first.release();
  first.release();
  other.grow(60);
  second.grow(40);
  assert.throws(() => first.grow(1), { code: "unavailable" });
});
