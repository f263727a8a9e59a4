import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { redact } from "./redact.ts";

const rows = [
  { name: "no secret", text: "all is well", secrets: ["hunter2"], expected: "all is well" },
  { name: "nothing to look for", text: "hunter2", secrets: [], expected: "hunter2" },
  {
    name: "one",
    text: "PASS hunter2 is wrong",
    secrets: ["hunter2"],
    expected: "PASS (hidden) is wrong",
  },
  { name: "one twice", text: "abc,abc", secrets: ["abc"], expected: "(hidden),(hidden)" },
  { name: "one after the other", text: "abcabc", secrets: ["abc"], expected: "(hidden)" },
  {
    name: "one within a longer one",
    text: "<abcd> b",
    secrets: ["b", "abcd"],
    expected: "<(hidden)> (hidden)",
  },
  {
    name: "one that begins within another",
    text: "<abcde>",
    secrets: ["abc", "cde"],
    expected: "<(hidden)>",
  },
  {
    name: "one that begins within itself",
    text: "<ababa>",
    secrets: ["aba"],
    expected: "<(hidden)>",
  },
  {
    name: "one of a character",
    text: "a bad day",
    secrets: ["a"],
    expected: "(hidden) b(hidden)d d(hidden)y",
  },
  {
    name: "one that is the word for it",
    text: "so hidden",
    secrets: ["hidden"],
    expected: "so (hidden)",
  },
  { name: "one on two lines", text: "<a\nb>", secrets: ["a\nb"], expected: "<(hidden)>" },
  {
    name: "one that breaks off",
    text: "PASS hunt",
    secrets: ["hunter2"],
    expected: "PASS (hidden)",
  },
  {
    name: "an end that may be one by chance",
    text: "a hun",
    secrets: ["hunter2"],
    expected: "a hun",
  },
  {
    name: "one that breaks off in a URL",
    text: "?p=s%20c%C3%BC%C3",
    secrets: ["s cür"],
    expected: "?p=(hidden)",
  },
  {
    name: "one that breaks off in Base64",
    text: "Basic YWxpY2U6aHVudGV",
    secrets: ["hunter2"],
    expected: "Basic (hidden)",
  },
  {
    name: "an ampersand that is none",
    text: "a &nbsp;&x; b",
    secrets: ["abc"],
    expected: "a &nbsp;&x; b",
  },
  {
    name: "a number of no character",
    text: "&#999999;&#xfffff;",
    secrets: ["abc"],
    expected: "&#999999;&#xfffff;",
  },
];

for (const { name, text, secrets, expected } of rows) {
  test(`${name}: ${JSON.stringify(text)} is shown as ${JSON.stringify(expected)}`, () => {
    assert.equal(redact(text, secrets), expected);
  });
}

test("with more secrets than can be looked for nothing is shown", () => {
  const secrets = Array.from({ length: 101 }, (_, number) => `secret ${number}`);
  assert.equal(redact("all is well", secrets.slice(1)), "all is well");
  assert.equal(redact("all is well", secrets), "(hidden)");
});

const html = (references: Readonly<Record<string, string>>) => (secret: string) =>
  secret.replaceAll(/[&<>"']/g, (character) => references[character] ?? character);
const basic = (secret: string): string => Buffer.from(`alice:${secret}`).toString("base64");
const inJson = (secret: string): string => JSON.stringify(secret).slice(1, -1);
const escaped = (secret: string): string =>
  inJson(secret).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const spellings: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "in a URL": encodeURIComponent,
  "in a URL in small letters": (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  "in a form": (secret) => new URLSearchParams({ secret }).toString().replace("secret=", ""),
  "in JSON": inJson,
  "in JSON of ASCII": escaped,
  "in JSON of ASCII without slashes": (secret) => escaped(secret).replaceAll("/", "\\/"),
  "in a quoted string": (secret) => secret.replaceAll(/["\\]/g, String.raw`\$&`),
  "in HTML by names": html({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  }),
  "in HTML by numbers": html({
    "&": "&#38;",
    "<": "&#60;",
    ">": "&#62;",
    '"': "&#34;",
    "'": "&#039;",
  }),
  "in HTML by other numbers": html({ "&": "&amp;", "<": "&lt;", '"': "&#x22;", "'": "&#X27;" }),
  "in a login": basic,
  "in a login in a URL": (secret) => encodeURIComponent(basic(secret)),
  "in a login in JSON without slashes": (secret) => basic(secret).replaceAll("/", "\\/"),
  "in a login of SMTP": (secret) => Buffer.from(`\0alice\0${secret}`).toString("base64"),
  "in Base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
};

/** Characters of generated passwords; others are too similar to the surrounding text to tell apart. */
const secret = fc.string({
  unit: fc.oneof(
    fc.constantFrom("%", "+", "&", ";", "<", ">", '"', "'", "\\", "/", " ", "é", "😀", "="),
    fc.constantFrom(...Array.from("abcdefghijklmnopqrstuvwxyz0123456789")),
  ),
  minLength: 4,
  maxLength: 40,
});
const around = fc.constantFrom(
  "",
  "<p>",
  '{"password":"',
  "Basic ",
  "?p=",
  "x\n",
  "ä ",
  "&amp;",
  "%20",
  "\\n",
);

for (const [name, spell] of Object.entries(spellings)) {
  test(`whatever the secret ${name}, it is hidden, and what is around it is shown`, () => {
    fc.assert(
      fc.property(secret, around, around, (secret, before, after) => {
        fc.pre(!`${before}${after}`.includes(secret));
        const shown = redact(`${before} ${spell(secret)} ${after}`, [secret]);
        assert.ok(shown.includes("(hidden)"), shown);
        const rest = shown.split("(hidden)");
        for (const part of rest) {
          assert.ok(!part.includes(secret), shown);
          assert.ok(!part.includes(spell(secret)), shown);
        }
      }),
    );
  });
}

const byCharacters = Object.entries(spellings).filter(([name]) => !/login|Base64/.test(name));
for (const [name, spell] of byCharacters) {
  test(`where the text breaks off within a secret ${name}, no more than a few letters of it are shown`, () => {
    fc.assert(
      fc.property(secret, fc.nat(), (secret, cut) => {
        const spelled = spell(secret);
        const text = `<p> ${spelled}`.slice(0, 4 + (cut % spelled.length));
        const shown = redact(text, [secret]);
        const few = spell(Array.from(secret).slice(0, 4).join(""));
        // Text before the secret and the replacement itself stay visible, even if the secret starts the same.
        fc.pre(!"<p> (hidden)".includes(few));
        assert.ok(!shown.includes(few), shown);
      }),
    );
  });
}

test("what has no secret is shown as it is", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "%", "4", "1", "+", "\\", "&", "\n", "é", "😀"),
  });
  fc.assert(
    fc.property(text, (text) => {
      assert.equal(redact(text, ["this is not in it"]), text);
    }),
  );
});

test("many secrets over each other are all hidden", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), letters, (secrets, text) => {
      const shown = redact(text, secrets).split("(hidden)");
      for (const part of shown)
        assert.ok(
          secrets.every((secret) => !part.includes(secret)),
          part,
        );
    }),
  );
});
