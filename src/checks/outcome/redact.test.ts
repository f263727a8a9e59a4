import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { redact } from "./redact.ts";

const rows = [
  { name: "no secret", text: "all is well", secrets: ["hunter2"], told: "all is well" },
  { name: "nothing to look for", text: "hunter2", secrets: [], told: "hunter2" },
  {
    name: "one",
    text: "PASS hunter2 is wrong",
    secrets: ["hunter2"],
    told: "PASS (hidden) is wrong",
  },
  { name: "one twice", text: "abc,abc", secrets: ["abc"], told: "(hidden),(hidden)" },
  { name: "one after the other", text: "abcabc", secrets: ["abc"], told: "(hidden)" },
  {
    name: "one within a longer one",
    text: "<abcd> b",
    secrets: ["b", "abcd"],
    told: "<(hidden)> (hidden)",
  },
  {
    name: "one that begins within another",
    text: "<abcde>",
    secrets: ["abc", "cde"],
    told: "<(hidden)>",
  },
  { name: "one that begins within itself", text: "<ababa>", secrets: ["aba"], told: "<(hidden)>" },
  {
    name: "one of a character",
    text: "a bad day",
    secrets: ["a"],
    told: "(hidden) b(hidden)d d(hidden)y",
  },
  {
    name: "one that is the word for it",
    text: "so hidden",
    secrets: ["hidden"],
    told: "so (hidden)",
  },
  { name: "one on two lines", text: "<a\nb>", secrets: ["a\nb"], told: "<(hidden)>" },
  { name: "one that breaks off", text: "PASS hunt", secrets: ["hunter2"], told: "PASS (hidden)" },
  { name: "an end that may be one by chance", text: "a hun", secrets: ["hunter2"], told: "a hun" },
  {
    name: "one that breaks off in a URL",
    text: "?p=s%20c%C3%BC%C3",
    secrets: ["s cür"],
    told: "?p=(hidden)",
  },
  {
    name: "one that breaks off in Base64",
    text: "Basic YWxpY2U6aHVudGV",
    secrets: ["hunter2"],
    told: "Basic (hidden)",
  },
  {
    name: "an ampersand that is none",
    text: "a &nbsp;&x; b",
    secrets: ["abc"],
    told: "a &nbsp;&x; b",
  },
  {
    name: "a number of no character",
    text: "&#999999;&#xfffff;",
    secrets: ["abc"],
    told: "&#999999;&#xfffff;",
  },
];

for (const { name, text, secrets, told } of rows) {
  test(`${name}: ${JSON.stringify(text)} is told as ${JSON.stringify(told)}`, () => {
    assert.equal(redact(text, secrets), told);
  });
}

test("who has more secrets than can be looked for is told nothing", () => {
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

/** What may stand in a password; the rest of what it may be is too much like what stands around it to tell them apart. */
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
  test(`whatever the secret ${name}, it is hidden, and what stands around it is told`, () => {
    fc.assert(
      fc.property(secret, around, around, (secret, before, after) => {
        fc.pre(!`${before}${after}`.includes(secret));
        const told = redact(`${before} ${spell(secret)} ${after}`, [secret]);
        assert.ok(told.includes("(hidden)"), told);
        const rest = told.split("(hidden)");
        for (const part of rest) {
          assert.ok(!part.includes(secret), told);
          assert.ok(!part.includes(spell(secret)), told);
        }
      }),
    );
  });
}

const byCharacters = Object.entries(spellings).filter(([name]) => !/login|Base64/.test(name));
for (const [name, spell] of byCharacters) {
  test(`where the text breaks off within a secret ${name}, no more than a few letters of it are told`, () => {
    fc.assert(
      fc.property(secret, fc.nat(), (secret, cut) => {
        const spelled = spell(secret);
        const text = `<p> ${spelled}`.slice(0, 4 + (cut % spelled.length));
        const told = redact(text, [secret]);
        const few = spell(Array.from(secret).slice(0, 4).join(""));
        // What stands before it is told, and what stands in its place, also where the secret begins with the same.
        fc.pre(!"<p> (hidden)".includes(few));
        assert.ok(!told.includes(few), told);
      }),
    );
  });
}

test("what holds no secret is told as it is", () => {
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
      const told = redact(text, secrets).split("(hidden)");
      for (const part of told)
        assert.ok(
          secrets.every((secret) => !part.includes(secret)),
          part,
        );
    }),
  );
});
