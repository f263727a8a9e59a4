import assert from "node:assert/strict";
import { test } from "node:test";

import { createIds } from "../kit/ids.ts";
import { hideTokens } from "./hide-tokens.ts";

for (const around of [
  (token: string) => token,
  (token: string) => `json=%7B%22token%22%3A%22${token}%22%7D`,
  (token: string) => JSON.stringify({ token }),
  (token: string) => `${token} and ${token}`,
]) {
  test(`a token is hidden in ${JSON.stringify(around("a token"))}`, () => {
    const token = createIds().token();
    assert.equal(hideTokens(around(token)), around("(hidden)"));
  });
}

test("what is not a token stays", () => {
  for (const text of ["", "8f14e45f-ceea-467f-8d2c-1c8a5b0f7e1a", "ABC-1", createIds().uuid()])
    assert.equal(hideTokens(text), text);
});
