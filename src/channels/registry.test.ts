import assert from "node:assert/strict";
import { test } from "node:test";

import { addressKinds } from "../domain/contact.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { channelOf, createChannels } from "./registry.ts";

test("every kind of address has one channel, and they are in order", () => {
  const channels = createChannels({
    mailer: undefined,
    url: "http://localhost:8080/",
    sealer: createSealer(new Uint8Array(32)),
  });
  const kinds = channels.map(({ kind }) => kind);
  assert.deepEqual(kinds, [...addressKinds].toSorted());
  for (const kind of addressKinds) assert.equal(channelOf(channels, kind)?.kind, kind);
});
