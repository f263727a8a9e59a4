import assert from "node:assert/strict";
import { test } from "node:test";

import { proposedName } from "./proposed-name.ts";

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
