import assert from "node:assert/strict";
import { test } from "node:test";

import { createSealer } from "../kit/crypto/seal.ts";
import { failureOf, outgoingOf } from "../../test/contracts/channel.ts";
import { sampleAlertContext } from "../../test/sample-alert.ts";
import { systemClock } from "../kit/clock.ts";
import { createEgress } from "../kit/net/egress.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { addressKinds, channelOf, createChannels } from "./registry.ts";

const channels = createChannels({
  mailer: undefined,
  url: "http://localhost:8080/",
  sealer: createSealer(new Uint8Array(32)),
});

test("every kind of address has its channel", () => {
  assert.deepEqual(Object.keys(channels), addressKinds);
  for (const kind of addressKinds) assert.equal(channelOf(channels, kind), channels[kind]);
});

for (const kind of ["hipchat", "", "toString", "__proto__"]) {
  test(`nothing can be sent to an address of the kind ${JSON.stringify(kind)}, for good`, async () => {
    const channel = channelOf(channels, kind);
    const reason = `no channel for ${JSON.stringify(kind)}`;
    assert.equal(channel.unavailableReason, reason);
    assert.throws(() => channel.parseAddress("x"), { code: "invalid_input", message: reason });
    const context = sampleAlertContext("down", {}, { kind });
    const failure = await failureOf(
      channel.send(outgoingOf(context, channel.render(context)), {
        signal: new AbortController().signal,
        egress: createEgress({ mode: "private", resolver: createResolver() }),
        clock: systemClock,
        attempt: 1,
      }),
    );
    assert.deepEqual([failure.message, failure.retryable], [reason, false]);
  });
}
