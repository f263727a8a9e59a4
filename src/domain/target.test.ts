import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { targetWithoutCredentials, targetWithoutQuery } from "./target.ts";

const rows = [
  { target: undefined, shown: "" },
  { target: 7, shown: "" },
  { target: "host.example.net", shown: "host.example.net" },
  { target: "host.example.net:8080", shown: "host.example.net:8080" },
  { target: "HTTP://Example.net/A?q=a@b#c@d", shown: "HTTP://Example.net/A?q=a@b#c@d" },
  { target: "https://example.net/@handle", shown: "https://example.net/@handle" },
  { target: "http://user:secret@example.net/a@b", shown: "http://example.net/a@b" },
  { target: "http://secret@example.net", shown: "http://example.net/" },
  { target: "http://:secret@example.net/", shown: "http://example.net/" },
  { target: "http://us@er:se@cret@example.net/", shown: "http://example.net/" },
  { target: " ht\ttp:\\\\user:secret@example.net\\a", shown: "http://example.net/a" },
  { target: "mongodb://user:secret@one,two/db", shown: "mongodb://one,two/db" },
  { target: "user:secret@example.net", shown: "example.net" },
  { target: "http://user:se/cret@example.net/", shown: "example.net/" },
] as const;

for (const { target, shown } of rows) {
  test(`people see the target ${JSON.stringify(target)} as ${JSON.stringify(shown)}`, () => {
    assert.equal(targetWithoutCredentials({ target }), shown);
  });
}

for (const { target, shown } of [
  { target: "https://example.net/health?key=s3cret&q=a#top", shown: "https://example.net/health" },
  { target: "https://user:secret@example.net/?s3cret", shown: "https://example.net/" },
  { target: "wss://example.net/feed#s3cret\nmore", shown: "wss://example.net/feed" },
  { target: "user:secret@example.net?key=s3cret", shown: "example.net" },
  { target: "host.example.net", shown: "host.example.net" },
  { target: undefined, shown: "" },
])
  // guard: targets without queries
  test(`labels and messages have of the target ${JSON.stringify(target)} only ${JSON.stringify(shown)}`, () => {
    assert.equal(targetWithoutQuery({ target }), shown);
  });

// guard: targets without credentials
test("no URL shows its credentials, and its host and path stay", () => {
  const credential = fc
    .string({ minLength: 1 })
    .map((text) => encodeURIComponent(`${text.toWellFormed()}-secret`));
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true }),
      credential,
      credential,
      (plain, username, password) => {
        const url = new URL(plain);
        url.username = username;
        url.password = password;
        const shown = new URL(targetWithoutCredentials({ target: url.href }));
        assert.equal(shown.href, new URL(plain).href);
      },
    ),
  );
});
