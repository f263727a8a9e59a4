import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { catalogueOf, textOf } from "../../../scripts/catalogue.ts";

test("what the command line knows of the API is what the API has: node scripts/documents.ts writes it", async () => {
  const text = readFileSync(new URL("catalogue.json", import.meta.url), "utf8");
  assert.ok(text === textOf(await catalogueOf()), "catalogue.json is stale");
});
