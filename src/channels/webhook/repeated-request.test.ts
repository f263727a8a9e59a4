import assert from "node:assert/strict";
import { test } from "node:test";

import { outgoingOf } from "../../../test/contracts/channel.ts";
import { receiverPeer } from "../../../test/peers/webhook-receiver.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { systemClock } from "../../kit/clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { createEgress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createWebhookChannel } from "../webhook.ts";

const OWN_URL = "https://watch.example.org/";
const sealer = createSealer(new Uint8Array(32));

// guard: responses that repeat a webhook
test("a response that repeats the request is kept without its secrets and the proofs of its links", async () => {
  await using receiver = await receiverPeer();
  const secrets = {
    path: "aPathOfSixteen4711",
    query: "aQuery4711",
    header: "aHeader4711",
    data: "someData4711",
    proof: "p".repeat(43),
  };
  const address = `${receiver.url}/${secrets.path}?to=${secrets.query}`;
  const request = {
    action: undefined,
    headers: { "x-plain": secrets.header },
    querystrings: undefined,
    data: { plain: secrets.data },
  };
  const context = sampleAlertContext("down", {}, { address, request });
  const channel = createWebhookChannel({ sealer, url: OWN_URL });
  receiver.reply({
    status: 200,
    body: `taken: ${Object.values(secrets).join(" ")} ${OWN_URL}acknowledge?proof=${secrets.proof}`,
  });
  const { response } = await channel.send(outgoingOf(context, channel.render(context)), {
    signal: new AbortController().signal,
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    clock: systemClock,
    attempt: 1,
  });
  assert.equal(
    response,
    `200 OK: taken: (hidden) (hidden) (hidden) (hidden) ${secrets.proof} ${OWN_URL}acknowledge?proof=(hidden)`,
  );
});
