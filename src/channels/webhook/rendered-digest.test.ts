import assert from "node:assert/strict";
import { test } from "node:test";

import { sampleAlertContext, sampleNotice } from "../../../test/sample-alert.ts";
import type { WebhookRequest } from "../../domain/contact/contact.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import type { AlertContext, DigestMessage } from "../channel.ts";
import { createWebhookChannel } from "../webhook.ts";

const sealer = createSealer(new Uint8Array(32));
const { renderDigest } = createWebhookChannel({ sealer, url: "https://watch.example.org/" });

function request(changes: Partial<WebhookRequest>): WebhookRequest {
  const usual = { action: undefined, headers: undefined, querystrings: undefined, data: undefined };
  return { ...usual, ...changes };
}

const firstUps = ["Shop", "Till"].map((label): AlertContext => {
  const context = sampleAlertContext("first", {
    state: "passing",
    check: { ...sampleNotice("first").check, label, target: `${label}.example.com` },
  });
  return { ...context, alert: { ...context.alert, id: `alert-of-${label}` } };
});

function digestTo(to: Partial<AlertContext["to"]>): DigestMessage | undefined {
  const [head, ...rest] = firstUps.map((context) => ({ ...context, to: { ...context.to, ...to } }));
  assert.ok(head);
  return renderDigest?.([head, ...rest], "bundle1");
}

test("several first results that are up are one request with the envelope of each", () => {
  const digest = digestTo({ address: "http://hook.example.net/" });
  const { alerts, ...envelope } = JSON.parse(digest?.body ?? "");
  assert.deepEqual(envelope, {
    schema_version: 1,
    id: "bundle1",
    type: "checks.first",
    created_at: firstUps[0]?.alert.createdAt,
    account: sampleNotice("first").account,
    links: { installation: "https://watch.example.org/" },
  });
  assert.deepEqual(
    alerts.map(({ id, type }: Record<string, unknown>) => [id, type]),
    [
      ["alert-of-Shop", "check.first"],
      ["alert-of-Till", "check.first"],
    ],
  );
  assert.deepEqual(
    digest?.parts.map((part) => JSON.parse(part)),
    alerts,
  );
});

for (const [name, to] of [
  ["variables in its URL", { address: "http://hook.example.net/{_id}" }],
  [
    "data of its own",
    { address: "http://hook.example.net/", request: request({ data: "{label}" }) },
  ],
  ["another method", { address: "http://hook.example.net/", request: request({ action: "put" }) }],
] as const)
  test(`an address with ${name} gets each first result on its own`, () => {
    assert.equal(digestTo(to), undefined);
  });

test("a service names each of several first results that are up", () => {
  const digest = digestTo({ address: "https://discord.com/api/webhooks/1/x" });
  assert.equal(digest?.subject, "First result up: Shop, Till");
  assert.match(digest?.body ?? "", /Shop.*Till/s);
});
