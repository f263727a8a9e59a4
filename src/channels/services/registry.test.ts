import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createSealer } from "../../kit/crypto/seal.ts";
import { sampleAcknowledgeLinks, sampleAlertContext } from "../../../test/sample-alert.ts";
import type { AlertContext } from "../channel.ts";
import { addressKinds, createChannels } from "../registry.ts";
import { serviceAt, serviceNames } from "./registry.ts";

const recipes = readFileSync(new URL("../../../docs/channels.md", import.meta.url), "utf8");
const { webhook } = createChannels({
  mailer: undefined,
  url: "https://watch.example.org/",
  sealer: createSealer(new Uint8Array(32)),
});

/** The sections below a heading, by their own heading. */
function sectionsBelow(heading: string): ReadonlyMap<string, string> {
  const [, part = ""] = recipes.split(`\n## ${heading}\n`);
  const [own = ""] = part.split("\n## ");
  const sections = own.split("\n### ").slice(1);
  return new Map(
    sections.map((section) => {
      const [name = "", ...lines] = section.split("\n");
      return [name, lines.join("\n")];
    }),
  );
}

test("there is a recipe for each type of address, and for each service", () => {
  assert.deepEqual([...sectionsBelow("Address types").keys()], addressKinds);
  const byName = [...serviceNames].toSorted((one, other) =>
    one.localeCompare(other, "en", { sensitivity: "base" }),
  );
  assert.deepEqual([...sectionsBelow("Services").keys()], byName);
});

for (const [name, recipe] of sectionsBelow("Services")) {
  test(`${name}: the addresses of its recipe are taken, and lead to it`, () => {
    const [, block = ""] = /```\n(.+?)\n```/s.exec(recipe) ?? [];
    for (const address of block.split("\n")) {
      assert.equal(webhook.parseAddress(address), address);
      assert.equal(serviceAt(address)?.name, name, address);
    }
  });

  test(`${name}: the message of an outage has the link to acknowledge it, and no later one`, () => {
    const [, address = ""] = /```\n(.+?)\n/.exec(recipe) ?? [];
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
