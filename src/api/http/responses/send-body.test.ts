import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";

const description = "what it is for; ".repeat(60);

async function askFor({ app, alice }: ApiFixture, accepted: string | undefined, path = "/checks") {
  const { headers, rawPayload, statusCode } = await app.inject({
    url: `/api/1${path}`,
    headers: {
      authorization: `Bearer ${alice.token}`,
      ...(accepted !== undefined && { "accept-encoding": accepted }),
    },
  });
  return { headers, bytes: rawPayload, status: statusCode };
}

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

// The first is sent in one piece, the second in several.
for (const count of [20, 120]) {
  test(`a list of ${count} checks is compressed as the client takes it, and says the same`, async () => {
    await using cast = await createApiFixture();
    for (let made = 0; made < count; made += 1)
      await cast.ask(cast.alice, "POST /checks", { ...plainCheck, description });
    const plain = await askFor(cast, undefined);
    assert.equal(plain.headers["content-encoding"], undefined);
    for (const [accepted, encoding] of [
      ["gzip, deflate, br, zstd", "zstd"],
      ["gzip, deflate, br;q=0.9", "br"],
      ["gzip", "gzip"],
      ["zstd;q=0, br;q=0.0, GZIP", "gzip"],
    ] as const) {
      const { headers, bytes } = await askFor(cast, accepted);
      assert.deepEqual(
        [headers["content-encoding"], headers.vary, headers["content-type"]],
        [encoding, "Accept-Encoding", "application/json"],
      );
      assert.ok(bytes.length < plain.bytes.length / 4);
      assert.deepEqual(decoders[encoding]?.(bytes), plain.bytes);
    }
    const { headers, bytes } = await askFor(cast, "deflate, identity");
    assert.deepEqual([headers["content-encoding"], bytes], [undefined, plain.bytes]);
  });
}

test("what is short is not compressed, nor what is refused", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "POST /checks", plainCheck);
  for (const path of ["/checks", `/checks/${"x".repeat(9000)}`]) {
    const { headers } = await askFor(cast, "gzip", path);
    assert.equal(headers["content-encoding"], undefined);
  }
});
