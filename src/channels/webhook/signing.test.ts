import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { createSealer } from "../../kit/crypto/seal.ts";
import { createSigning } from "./signing.ts";

const request = { id: "alert1", timestamp: "1767616260", body: '{"type":"check.down"}' };
const now = Number(request.timestamp) * 1000;

test("a signature is that of the scheme's own example", () => {
  const deriveKey = (): Uint8Array => Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  const { secretOf, signatureOf } = createSigning({ deriveKey });
  assert.equal(secretOf("A"), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  assert.equal(
    signatureOf("A", {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: "1614265330",
      body: '{"test": 2432232314}',
    }),
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});

test("the documented code takes what is signed, and nothing that was changed, is old or of another address", async () => {
  const { isGenuine } = await documentedCode();
  const { secretOf, signatureOf } = createSigning(createSealer(new Uint8Array(32)));
  const sent = {
    headers: {
      "webhook-id": request.id,
      "webhook-timestamp": request.timestamp,
      "webhook-signature": signatureOf("A", request),
    },
    body: request.body,
  };
  const secret = secretOf("A");
  assert.equal(isGenuine(sent, secret, now), true);
  assert.equal(isGenuine({ ...sent, body: `${request.body} ` }, secret, now), false);
  assert.equal(isGenuine(sent, secret, now + 301_000), false);
  assert.equal(isGenuine(sent, secretOf("B"), now), false);
  for (const [name, value] of Object.entries({
    "webhook-id": "alert2",
    "webhook-timestamp": String(Number(request.timestamp) + 1),
    "webhook-signature": "v1,AAAA",
  })) {
    const headers = { ...sent.headers, [name]: value };
    assert.equal(isGenuine({ ...sent, headers }, secret, now), false, name);
  }
});

interface DocumentedCode {
  readonly isGenuine: (request: object, secret: string, now: number) => boolean;
}

async function documentedCode(): Promise<DocumentedCode> {
  const page = await readFile(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const [, code = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
