import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { checkTypeOf } from "../../../src/checks/registry.ts";
import { guessChecks, proposedName } from "./guess-check.ts";

await using cast = await createApiFixture();
const { body: forms } = await cast.ask(cast.alice, "GET /info/forms");

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
  ["gopher://files.example/"],
  ["ann@example.com"],
] as const)
  test(`${JSON.stringify(entered)} stands for ${types.join(", then ") || "nothing"}`, () => {
    const guesses = guessChecks(entered, forms.checks);
    assert.deepEqual(
      guesses.map(({ type }) => type),
      types,
    );
    for (const { type, ...parameters } of guesses) checkTypeOf(type)?.prepare(parameters);
  });

test("what is guessed has what is suggested, and what the port implies", () => {
  const [web] = guessChecks("shop.example", forms.checks);
  assert.deepEqual(web, {
    type: "HTTP",
    target: "https://shop.example/",
    follow: true,
    verify: true,
  });
  const [mail] = guessChecks("mail.example:465", forms.checks);
  assert.deepEqual(mail, {
    type: "SMTP",
    target: "mail.example",
    port: 465,
    secure: "ssl",
    verify: true,
  });
});

for (const [tested, name] of [
  [{ title: "Shop", label: "https://shop.example/" }, "Shop"],
  [{ title: "\u200b ", label: "https://shop.example/" }, "shop.example"],
  [{ label: "https://ann:secret@shop.example/basket?key=1#top" }, "shop.example/basket"],
  [{ label: "http://127.0.0.1:8080/" }, "127.0.0.1:8080"],
  [{ label: "mail.example" }, "mail.example"],
  [{ label: "2001:db8::1" }, "2001:db8::1"],
] as const)
  test(`the name ${name} is proposed for ${JSON.stringify(tested)}`, () => {
    assert.equal(proposedName(tested), name);
  });
