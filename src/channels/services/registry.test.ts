import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createSealer } from "../../kit/crypto/seal.ts";
import { sampleAcknowledgeLinks, sampleAlertContext } from "../../../test/sample-alert.ts";
import type { AlertContext } from "../channel.ts";
import { addressKinds, createChannels } from "../registry.ts";
import { serviceAt, services } from "./registry.ts";

const recipes = readFileSync(new URL("../../../docs/channels.md", import.meta.url), "utf8");
const { webhook } = createChannels({
  mailer: undefined,
  url: "https://watch.example.org/",
  sealer: createSealer(new Uint8Array(32)),
});

test("there is a recipe for each type of address", () => {
  const [, part = ""] = recipes.split("\n## Address types\n");
  const [own = ""] = part.split("\n## ");
  const kinds = [...own.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
  assert.deepEqual(kinds, addressKinds);
});

for (const { name, recipe } of services) {
  test(`${name}: the addresses of its recipe are taken, and lead to it`, () => {
    for (const address of recipe.addresses) {
      assert.equal(webhook.parseAddress(address), address);
      assert.equal(serviceAt(address)?.name, name, address);
    }
  });

  test(`${name}: the message of an outage has the link to acknowledge it, and no later one`, () => {
    const [address] = recipe.addresses;
    const service = serviceAt(address) ?? assert.fail(address);
    const url = URL.parse(address) ?? assert.fail(address);
    const says = (context: AlertContext): boolean => {
      const { headers, body } = service.requestOf(context, url);
      const sent = JSON.stringify([headers, body]).replaceAll("\\\\", "\\");
      return /watch\.example\.org\/acknowledge\?account/.test(sent);
    };
    const context = sampleAlertContext("down");
    const { linkOf } = sampleAcknowledgeLinks;
    const down = { ...context, acknowledgeUrl: linkOf(context.alert, context.to) };
    assert.ok(says(down));
    assert.equal(says(sampleAlertContext("up")), false, "there is nothing to acknowledge any more");
  });
}
