import assert from "node:assert/strict";
import { test } from "node:test";

import { accountOf } from "./account-of.ts";

test("a unit about the alerts of one account is that account's, and of several it is nobody's", () => {
  const [one, other] = [{ primaryId: "one" }, { primaryId: "other" }];
  assert.deepEqual(accountOf([one, one]), { accountId: "one" });
  assert.deepEqual(accountOf([one, other]), {});
  assert.deepEqual(accountOf([]), {});
});
