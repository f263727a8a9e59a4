import assert from "node:assert/strict";
import { test } from "node:test";

import { createIds } from "./ids.ts";

const ids = createIds();
const at = Date.UTC(2026, 10, 21, 7, 55, 30);

const shapes: readonly { name: string; made: () => string; shape: RegExp }[] = [
  { name: "account", made: () => ids.account(at), shape: /^202611210755[0-9A-Z]{5}$/ },
  { name: "contact", made: () => ids.contact("ACCOUNT"), shape: /^ACCOUNT-[0-9A-Z]{5}$/ },
  { name: "group", made: () => ids.group("ACCOUNT"), shape: /^ACCOUNT-G-[0-9A-Z]{5}$/ },
  { name: "profile", made: () => ids.profile("ACCOUNT"), shape: /^ACCOUNT-P-[0-9A-Z]{5}$/ },
  { name: "address", made: () => ids.address(), shape: /^[0-9A-Z]{8}$/ },
  { name: "check", made: () => ids.check("ACCOUNT"), shape: /^ACCOUNT-[0-9A-Z]{8}$/ },
  {
    name: "token",
    made: () => ids.token(),
    shape: /^[0-9A-Z]{8}-[0-9A-Z]{4}-4[0-9A-Z]{3}-8[0-9A-Z]{3}-[0-9A-Z]{12}$/,
  },
  {
    name: "uuid",
    made: () => ids.uuid(),
    shape: /^[0-9a-z]{8}-[0-9a-z]{4}-4[0-9a-z]{3}-8[0-9a-z]{3}-[0-9a-z]{12}$/,
  },
  { name: "maintenance", made: () => ids.maintenance(), shape: /^[0-9A-Z]{6}$/ },
  { name: "alert", made: () => ids.alert(), shape: /^[0-9a-z]{20}$/ },
  { name: "revision", made: () => ids.revision(), shape: /^[0-9a-f]{32}$/ },
  { name: "queue", made: () => ids.queue(), shape: /^[0-9A-Z]{10}$/ },
];

for (const { name, made, shape } of shapes) {
  test(`an id of kind ${name} has its shape and is not made twice`, () => {
    const some = Array.from({ length: 50 }, made);
    for (const id of some) assert.match(id, shape);
    assert.equal(new Set(some).size, some.length);
  });
}

test("every letter is as likely as every other", () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 3000; index += 1) {
    for (const letter of ids.address()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  assert.equal(counts.size, 36);
  for (const [letter, count] of counts)
    assert.ok(count > 500 && count < 850, `${letter} came ${count} of 24000 times`);
});
