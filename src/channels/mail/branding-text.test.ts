import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { AlertKind } from "../../domain/alert/alert.ts";
import type { Branding } from "../../domain/account/branding.ts";
import { sampleNotice, sampleAlertContext } from "../../../test/sample-alert.ts";
import { renderBranding, type BrandingText } from "./branding-text.ts";

function branded(
  kind: AlertKind,
  branding: Branding | undefined,
  check: { readonly label?: string; readonly description?: string } = {},
): BrandingText {
  const { check: usual } = sampleNotice(kind);
  return renderBranding({
    ...sampleAlertContext(kind, { check: { ...usual, ...check } }),
    branding,
  });
}

const none = { subject: undefined, text: undefined };

for (const { name, kind, branding, expected } of [
  { name: "no words", kind: "down", branding: undefined, expected: none },
  { name: "no words for this kind", kind: "up", branding: { downText: "a" }, expected: none },
  {
    name: "a subject alone",
    kind: "down",
    branding: { downSubject: "{label} {event}" },
    expected: { subject: "Shop down", text: undefined },
  },
  {
    name: "a text alone",
    kind: "up",
    branding: { upText: "{label} was down for {downtime} minute{if downminutes}s{/if}.\n" },
    expected: { subject: undefined, text: "Shop was down for 12 minutes.\n" },
  },
  {
    name: "both of a first result",
    kind: "first",
    branding: { firstSubject: "New: {label}", firstText: "{if su}up{else}down: {m}{/if}" },
    expected: { subject: "New: Shop", text: "down: HTTP status returned: 503" },
  },
  {
    name: "a text that comes out blank",
    kind: "down",
    branding: { downSubject: "{downtime} \u200B", downText: "{if downtime}a{/if}\n " },
    expected: none,
  },
  {
    name: "words that no longer can be read",
    kind: "down",
    branding: { downSubject: "{if label}", downText: "{/if}" },
    expected: none,
  },
  {
    name: "what is no variable",
    kind: "down",
    branding: { downText: "{lable} {constructor} { label}" },
    expected: { subject: undefined, text: "{lable} {constructor} { label}" },
  },
] as const)
  test(`own words: ${name}`, () => assert.deepEqual(branded(kind, branding), expected));

test("a long label leaves room for the rest of a subject, and the subject has an end", () => {
  const label = "x".repeat(10_240);
  const { subject = "" } = branded("down", { downSubject: "{label} is {event}" }, { label });
  assert.match(subject, /^x{119}… is down$/);
  const repeated = branded("down", { downSubject: "{label}".repeat(30) }, { label });
  assert.equal(repeated.subject?.length, 250);
});

test("a text in which much is repeated has an end", () => {
  const downText = "{label}".repeat(2800);
  const { text = "" } = branded("down", { downText }, { label: "y".repeat(10_240) });
  assert.equal(text.length, 30_000);
});

test("what strangers say adds no line to a text, and reads as no template", () => {
  const evil = fc.constantFrom(
    "Shop\r\nState: all is well",
    "\n\nPassword: open",
    "{label}{message}",
    "{if label}",
    "\u2028\u2029\u0085\u000B\u000C",
    "\u202Egnp.exe",
  );
  fc.assert(
    fc.property(fc.oneof(evil, fc.string({ unit: "binary" })), (label) => {
      const branding = { downSubject: "<{label}>", downText: "1 {label}\n2 {description}" };
      const { subject = "", text = "" } = branded("down", branding, { label, description: label });
      const lines = text.split(/[\n\r\u0085\u2028\u2029]/);
      assert.equal(lines.length, 2);
      assert.equal(lines[0]?.slice(2), lines[1]?.slice(2));
      assert.equal(subject, `<${lines[0]?.slice(2)}>`.slice(0, 250));
      assert.doesNotMatch(subject + text.replace("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});
