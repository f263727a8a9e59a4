import assert from "node:assert/strict";
import { scryptSync } from "node:crypto";
import { test } from "node:test";

import { hashPassword, generatePassword, verifyPassword } from "./password.ts";

test("a password is 20 letters and digits that nobody mistakes for another", () => {
  for (let round = 0; round < 1000; round += 1)
    assert.match(generatePassword(), /^[a-km-np-z2-9]{20}$/);
});

test("every character of a password comes equally often", () => {
  // 64 passwords of 20 characters take each byte five times.
  let next = 0;
  const count = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => next++);
  const counts = new Map<string, number>();
  for (let round = 0; round < 64; round += 1)
    for (const character of generatePassword(count))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.equal(counts.size, 32);
  assert.deepEqual(new Set(counts.values()), new Set([40]));
});

test("a password verifies against its own hash, and nothing else does", async () => {
  const stored = hashPassword("correct horse");
  assert.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(verifyPassword("correct horse", stored), true);
  for (const wrong of ["correct horsf", "Correct horse", "correct horse ", ""])
    assert.equal(verifyPassword(wrong, stored), false, wrong);
});

test("two hashes of one password have nothing in common", async () => {
  const [one, other] = [hashPassword("same"), hashPassword("same")];
  for (const part of [3, 4]) assert.notEqual(one.split("$")[part], other.split("$")[part]);
});

/** Returns the hash as another implementation would store it at that cost. */
function storedAt(ln: number, r: number, p: number): string {
  const salt = Buffer.from("sixteen bytes it");
  const hash = scryptSync("pass", salt, 32, { N: 2 ** ln, r, p, maxmem: 2 ** 29 });
  const written = [salt, hash].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$scrypt$ln=${ln},r=${r},p=${p}$${written.join("$")}`;
}

for (const [ln, r, p] of [
  [10, 8, 1],
  [4, 1, 1],
  [15, 1, 2],
  [12, 16, 9],
] as const) {
  test(`a hash of cost ln=${ln}, r=${r}, p=${p} is verified at that cost`, async () => {
    assert.equal(verifyPassword("pass", storedAt(ln, r, p)), true);
    assert.equal(verifyPassword("word", storedAt(ln, r, p)), false);
  });
}

const good = storedAt(10, 8, 1);
for (const [name, stored] of [
  ["nothing", ""],
  ["the password itself", "pass"],
  ["a hash of another function", good.replace("scrypt", "argon2id")],
  ["a hash without a cost", good.replace("ln=10,r=8,p=1", "")],
  ["a cost of no rows", good.replace("ln=10", "ln=0")],
  ["a cost that scrypt refuses", good.replace("ln=10,r=8", "ln=16,r=1")],
  ["a cost beyond memory", good.replace("ln=10", "ln=19")],
  ["a cost beyond numbers", good.replace("ln=10", "ln=9999")],
  ["a cost beyond patience", good.replace("p=1", "p=99")],
  ["a short salt", good.replace(/\$[^$]{22}\$/, "$c2l4$")],
  ["a short hash", good.slice(0, -1)],
  ["a long hash", `${good}A`],
  ["a line more", `${good}\n`],
] as const) {
  test(`${name} verifies nothing`, async () => assert.equal(verifyPassword("pass", stored), false));
}
