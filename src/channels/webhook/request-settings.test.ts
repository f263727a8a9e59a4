import assert from "node:assert/strict";
import { test } from "node:test";

import type { WebhookRequest } from "../../domain/contact/contact.ts";
import { assertRequestSettings } from "./request-settings.ts";

const usual: WebhookRequest = {
  action: undefined,
  headers: undefined,
  querystrings: undefined,
  data: undefined,
};

const long = "x".repeat(16_385);

for (const [part, begins] of [
  [{ headers: { "X Title": "a" } }, 'headers: no name of a header: "X Title"'],
  [{ headers: { "": "a" } }, 'headers: no name of a header: ""'],
  [{ headers: { "X-Title:": "a" } }, "headers: no name of a header"],
  [{ headers: { "X\r\nEvil": "a" } }, "headers: no name of a header"],
  [{ headers: { Überschrift: "a" } }, "headers: no name of a header"],
  [{ headers: { "X-{label}": "a" } }, "headers: no name of a header"],
  [{ headers: { Host: "evil.example" } }, 'headers: cannot be set: "Host"'],
  [{ headers: { "content-length": "0" } }, "headers: cannot be set"],
  [{ headers: { "Transfer-Encoding": "chunked" } }, "headers: cannot be set"],
  [{ headers: { CONNECTION: "keep-alive" } }, "headers: cannot be set"],
  [{ headers: { Expect: "100-continue" } }, "headers: cannot be set"],
  [{ headers: { "Webhook-Id": "1" } }, "headers: cannot be set"],
  [{ headers: { "Webhook-Signature": "v1,a" } }, "headers: cannot be set"],
  [{ headers: { "X-Title": "a\r\nX-Evil: b" } }, 'headers: must be one line: "X-Title"'],
  [{ headers: { "X-Title": "a\nb" } }, "headers: must be one line"],
  [{ headers: { "X-Title": "a\u0000" } }, "headers: must be one line"],
  [{ headers: { "X-Title": "a\u2028b" } }, "headers: must be one line"],
  [{ headers: { "X-Title": "{if label}" } }, "headers: {if label} must be closed by {/if}"],
  [{ headers: { "X-Title": long } }, "headers: must be at most 16384 characters"],
  [{ querystrings: { a: "{else}" } }, "querystrings: {else} must stand once"],
  [{ querystrings: { a: long } }, "querystrings: must be at most 16384 characters"],
  [{ data: "{/if}" }, "data: {/if} must follow an {if}"],
  [{ data: { a: [{ b: "{if nothing}{/if}" }] } }, "data: no such variable: {if nothing}"],
  [{ data: long }, "data: must be at most 16384 characters"],
  [{ data: { a: long } }, "data: must be at most 16384 characters"],
] as const) {
  test(`${JSON.stringify(part).slice(0, 60)} is refused: ${begins}`, () =>
    assert.throws(
      () => assertRequestSettings({ ...usual, ...part }),
      (error: Error & { code?: string }) =>
        error.code === "invalid_input" && error.message.startsWith(begins),
    ));
}

for (const part of [
  {},
  { headers: {}, querystrings: {} },
  { headers: { Authorization: "Bearer {x}", "x-title": "Ünïcode → {label}", "User-Agent": "" } },
  { querystrings: { "": "", "a b": "{if label}{label}{/if}", ünï: "\r\n" } },
  { data: "x".repeat(16_384) },
  { data: { "{else}": 5, list: [null, true, "{label}"] } },
]) {
  test(`${JSON.stringify(part).slice(0, 60)} is taken`, () =>
    assertRequestSettings({ ...usual, ...part }));
}
