import assert from "node:assert/strict";
import { test } from "node:test";

import { isLinkLike } from "./link-like.ts";

for (const text of [
  "see https://evil.example/a",
  "bank.example",
  "www.bank.example/login",
  "mail ann@bank.example",
  "BANK。EXAMPLE",
  "ｂａｎｋ．ｅｘａｍｐｌｅ",
  "bücher.de",
  "javascript://x",
])
  test(`${JSON.stringify(text)} is like a link`, () => assert.equal(isLinkLike(text), true));

for (const text of [
  "Ann Smith",
  "Hello. You have access",
  "Wait... what?",
  "at 5.30 or 17:00",
  "A.",
  "Dr. Who & Sons, Ltd.",
  "version 1.2.3",
])
  test(`${JSON.stringify(text)} is not`, () => assert.equal(isLinkLike(text), false));
