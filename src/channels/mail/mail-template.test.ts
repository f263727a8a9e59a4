import assert from "node:assert/strict";
import { test } from "node:test";

import { InvalidInput } from "../../kit/errors.ts";
import { subjectTemplate, bodyTemplate, welcomeTemplate } from "./mail-template.ts";

const kinds = { subject: subjectTemplate, text: bodyTemplate, welcome: welcomeTemplate } as const;

for (const [kind, sent, kept] of [
  ["subject", "{label} is {event}", "{label} is {event}"],
  ["subject", "👩‍👩‍👧 {no such}", "👩‍👩‍👧 {no such}"],
  ["subject", "x".repeat(250), "x".repeat(250)],
  ["subject", " \u00A0 ", ""],
  ["text", "a\r\nb\rc\n\td", "a\nb\nc\n\td"],
  ["text", "{if message}{m}{else}{sc}{/if}", "{if message}{m}{else}{sc}{/if}"],
  ["text", "x".repeat(20_000), "x".repeat(20_000)],
  ["text", "\r\n \n", ""],
  ["welcome", "{password} {if x} {anything}\r\n", "{password} {if x} {anything}\n"],
  ["welcome", " ", ""],
] as const)
  test(`${kind} ${JSON.stringify(sent.slice(0, 40))} is kept as ${JSON.stringify(kept.slice(0, 40))}`, () =>
    assert.equal(kinds[kind].parse(sent), kept));

for (const [kind, sent, message] of [
  ["subject", "a\r\nBcc: eve@example.com", /^must be one line of at most 250 characters/],
  ["subject", "a\u2028b", /^must be one line/],
  ["subject", "a\u0007", /^must be one line/],
  ["subject", "a\uD800", /^must be one line/],
  ["subject", "x".repeat(251), /^must be one line of at most 250/],
  ["subject", "{if label}", /^\{if label\} must be closed by \{\/if\}$/],
  ["subject", "{if lable}a{/if}", /^no such variable: \{if lable\}$/],
  ["text", "a\u0000", /^must be text of at most 20000 characters, without control/],
  ["text", "a\u001B[2J", /^must be text/],
  ["text", "x".repeat(20_001), /^must be text of at most 20000/],
  ["text", "a{/if}", /^\{\/if\} must follow an \{if\}$/],
  ["welcome", "Hello {name}", /^must say \{password\}/],
  ["welcome", "{password}\u0000", /^must be text/],
  ["welcome", `{password}${"x".repeat(1991)}`, /^must be text of at most 2000/],
  ["welcome", "{password} at https://bank.example/", /^must hold no links and no addresses/],
  ["welcome", "{password} at bank.example", /^must hold no links/],
] as const)
  // guard: length of welcomes
  // guard: links in welcomes
  test(`${kind} ${JSON.stringify(sent.slice(0, 40))} is refused: ${message.source}`, () =>
    assert.throws(
      () => kinds[kind].parse(sent),
      (error) => error instanceof InvalidInput && message.test(error.message),
    ));
