import assert from "node:assert/strict";
import { test } from "node:test";

import { percentOf } from "./public-check.ts";

test("uptime has a percentage only where something was measured", () => {
  assert.equal(percentOf([{ enabledMs: 0, measuredMs: 0, downMs: 0 }]), undefined);
  assert.equal(percentOf([]), undefined);
  assert.equal(percentOf([{ enabledMs: 200, measuredMs: 0, downMs: 0 }]), undefined);
  assert.equal(percentOf([{ enabledMs: 200, measuredMs: 100, downMs: 0 }]), 100);
  assert.equal(
    percentOf([
      { enabledMs: 150, measuredMs: 150, downMs: 50 },
      { enabledMs: 0, measuredMs: 0, downMs: 0 },
    ]),
    66.666,
  );
});
