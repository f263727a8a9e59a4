import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { InvalidInput } from "../../kit/errors.ts";
import { createSenders, readSender } from "./senders.ts";

const own = "Watchpost <watchpost@example.org>";
const senders = createSenders({ own, domains: ["Shop.example", "müller.example"] });
const strict = createSenders({ own, domains: [] });

for (const [sent, kept] of [
  ["Shop", "Shop"],
  ["  Shop, Inc.  ", "Shop, Inc."],
  ["Späti 🙂", "Späti 🙂"],
  ["Shop\u202E\u200Bs", "Shops"],
  ["Shop <alerts@shop.example>", "Shop <alerts@shop.example>"],
  ["Shop<alerts@SHOP.example>", "Shop <alerts@shop.example>"],
  ['"Shop, Inc." <alerts@shop.example>', "Shop, Inc. <alerts@shop.example>"],
  ["<alerts@shop.example>", "alerts@shop.example"],
  ["alerts@shop.example", "alerts@shop.example"],
  ["Ours <other@example.org>", "Ours <other@example.org>"],
  ["M <a@müller.example>", "M <a@xn--mller-kva.example>"],
  ["M <a@xn--mller-kva.example>", "M <a@xn--mller-kva.example>"],
  ["W <a@ｓhop.example>", "W <a@shop.example>"],
  ["\u200B", ""],
] as const)
  test(`the sender ${JSON.stringify(sent)} is kept as ${JSON.stringify(kept)}`, () =>
    assert.equal(senders.parse(sent), kept));

for (const [sent, message] of [
  [
    "Bank <alerts@bank.example>",
    /^must be a name, or one with a mailbox of example\.org, shop\.example, xn--mller-kva\.example .* not "alerts@bank\.example"$/,
  ],
  ["Shop <a@sub.shop.example>", /mailbox of example\.org/],
  ["Shop <a@shop.example.>", /must be one mailbox/],
  ["Shop <a@shop.example@bank.example>", /must be one mailbox/],
  ["Shop <a@bank.example> <a@shop.example>", /must be one mailbox/],
  ["a@shop.example, b@bank.example", /must be one mailbox/],
  ["help@bank.example <a@shop.example>", /must be a name without < > @/],
  ["help＠bank.example <a@shop.example>", /must be a name without < > @/],
  ["help＠bank.example", /must be a name without < > @/],
  ["Shop\r\nBcc: eve", /must be a name .* in one line/],
  ["Shop\u2028s <a@shop.example>", /must be a name .* in one line/],
  ["Shop\r\nBcc: eve <a@shop.example>", /must be a name .* in one line/],
  ["Shop <a@shop.example\r\nBcc: eve@bank.example>", /must be one mailbox/],
  ["=?utf-8?Q?help=40bank.example?=", /must be a name without/],
  ["Shop <shop", /must be a name without < >/],
  ['Sh"op', /must be a name without/],
  ["Shop <jürgen@shop.example>", /letters of ASCII before the @/],
  [`${"x".repeat(101)} <a@shop.example>`, /a name of at most 100 characters/],
] as const)
  // guard: senders of the operator's domains
  test(`the sender ${JSON.stringify(sent.slice(0, 50))} is refused: ${message.source.slice(0, 40)}`, () =>
    assert.throws(
      () => senders.parse(sent),
      (error) => error instanceof InvalidInput && message.test(error.message),
    ));

test("without a sender of the installation no mailbox is allowed, and the refusal says so", () => {
  const none = createSenders({ own: "", domains: [] });
  assert.equal(none.parse("Shop"), "Shop");
  assert.throws(() => none.parse("Shop <a@shop.example>"), /a name alone, .*WATCHPOST_MAIL_FROM/);
});

test("an operator's own domain that is none by the rules of names allows no other such", () => {
  const odd = createSenders({ own: "Watchpost <w@\u0301a.example>", domains: [] });
  assert.equal(odd.resolve("Shop"), "Shop <w@\u0301a.example>");
  assert.equal(odd.resolve("Shop <a@\u0301b.example>"), "Shop <w@\u0301a.example>");
});

for (const [wanted, shown] of [
  [undefined, own],
  ["Shop", "Shop <watchpost@example.org>"],
  ["Shop <alerts@shop.example>", "Shop <watchpost@example.org>"],
  ["Shop <alerts@example.org>", "Shop <alerts@example.org>"],
  ["alerts@shop.example", own],
  ["", own],
] as const)
  test(`of ${JSON.stringify(wanted)} mails show ${JSON.stringify(shown)} once its domain is not allowed any more`, () =>
    assert.equal(strict.resolve(wanted), shown));

test("what is kept is one line with a mailbox of ours, and stays the same whoever reads it again", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<",
      ">",
      "@",
      '"',
      "\\",
      " ",
      "\r\n",
      "a@shop.example",
      "\u202E",
      ",",
      "bank.example",
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const allowed = new Set(["", "@shop.example", "@example.org", "@xn--mller-kva.example"]);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      let kept: string;
      try {
        kept = senders.parse(pieces.join(""));
      } catch (error) {
        assert.ok(error instanceof InvalidInput);
        return;
      }
      const { name, mailbox } = readSender(kept);
      assert.doesNotMatch(kept, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      assert.doesNotMatch(name, /[<>@]/);
      assert.ok(allowed.has(mailbox.replace(/^.*@/, "@")), mailbox);
      assert.equal(senders.parse(kept), kept);
      const shown = senders.resolve(kept);
      assert.equal(senders.resolve(shown), shown);
    }),
    { numRuns: 2000 },
  );
});
