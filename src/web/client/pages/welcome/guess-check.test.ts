import assert from "node:assert/strict";
import { test } from "node:test";

import { checkTypeOf } from "../../../../checks/registry.ts";
import { guessChecks } from "./guess-check.ts";

for (const [entered, ...types] of [
  ["https://shop.example/basket?a=b", "HTTP"],
  ["shop.example", "HTTP", "HTTP", "PING"],
  [" shop.example/basket ", "HTTP"],
  ["192.0.2.1", "PING"],
  ["2001:db8::1", "PING"],
  ["mail.example:587", "SMTP"],
  ["[2001:db8::1]:22", "SSH"],
  ["shop.example:8080", "HTTP"],
  ["db.example:5432", "PORT"],
  ["wss://chat.example/", "WEBSOCKET"],
  [""],
  ["two words"],
  ["ftp://files.example/"],
  ["ann@example.com"],
] as const)
  test(`${JSON.stringify(entered)} stands for ${types.join(", then ") || "nothing"}`, () => {
    const guesses = guessChecks(entered);
    assert.deepEqual(
      guesses.map(({ type }) => type),
      types,
    );
    for (const { type, parameters } of guesses) checkTypeOf(type)?.prepare(parameters);
  });
