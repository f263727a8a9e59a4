import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { cutToSeptets, gsmText, septetsOf } from "./gsm-text.ts";

for (const [written, sent] of [
  ["Shop", "Shop"],
  ["Größe à la Ångström: ÄÖÜäöüß", "Größe à la Ångström: ÄÖÜäöüß"],
  ["a\u00A0b\u2009c", "a b c"],
  ["“quoted”, ‘so’ and «so»", '"quoted", \'so\' and "so"'],
  ["1–2 — 3 − 4", "1-2 - 3 - 4"],
  ["wait…", "wait..."],
  ["français, naïve, Žižek, Škoda", "francais, naive, Zizek, Skoda"],
  ["Łódź, Đorđe, œuvre, Þór", "Lodz, Dorde, oeuvre, THor"],
  ["A\u0308 and A\u0301", "Ä and A"],
  ["½ × ﬁ ™ №", "1/2 x fi TM No"],
  ["a → b • c", "a -> b * c"],
  ["5 € [x] {y} ~ ^ | \\", "5 € [x] {y} ~ ^ | \\"],
  ["Ω and ω", "Ω and ?"],
  ["👍🏽 👨‍👩‍👧", "?? ?????"],
  ["電", "?"],
] as const) {
  test(`${JSON.stringify(written)} is sent as ${JSON.stringify(sent)}`, () =>
    assert.equal(gsmText(written), sent));
}

for (const [text, most, cut] of [
  ["abcdef", 6, "abcdef"],
  ["abcdefg", 6, "abcd.."],
  ["ab cdefg", 5, "ab.."],
  ["[[[", 6, "[[["],
  ["[[[[", 6, "[[.."],
  ["abc", 1, ".."],
] as const) {
  test(`${JSON.stringify(text)} fits ${most} septets as ${JSON.stringify(cut)}`, () =>
    assert.equal(cutToSeptets(text, most), cut));
}

const line = fc.string({ unit: "binary", maxLength: 300 });

// guard: the alphabet of telephones
test("whatever is written, every character of what is sent is in the alphabet", () => {
  fc.assert(
    fc.property(line, (text) => {
      for (const character of gsmText(text)) assert.notEqual(septetsOf(character), 0);
    }),
  );
});

test("what is in the alphabet stays as it is", () => {
  fc.assert(
    fc.property(line, (text) => {
      const sent = gsmText(text);
      assert.equal(gsmText(sent), sent);
    }),
  );
});

test("what is cut fits, and is the beginning of the text", () => {
  const grapheme = fc.constantFrom(..."ab c[€".split(""));
  fc.assert(
    fc.property(fc.string({ unit: grapheme }), fc.integer({ min: 2, max: 40 }), (text, most) => {
      const cut = cutToSeptets(text, most);
      assert.ok(septetsOf(cut) <= most);
      assert.ok(cut === text || text.startsWith(cut.slice(0, -2)));
    }),
  );
});
