import assert from "node:assert/strict";
import { test } from "node:test";

import { retryAfterMs } from "./http-failure.ts";

const NOW = Date.UTC(2026, 0, 5, 12);

for (const [header, ms] of [
  ["120", 120_000],
  [" 0 ", 0],
  ["Mon, 05 Jan 2026 12:01:00 GMT", 60_000],
  ["Mon, 05 Jan 2026 11:00:00 GMT", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["1e9", undefined],
  ["99999999999", undefined],
  ["tomorrow", undefined],
  ["2026-01-05", undefined],
  ["Mon, 99 Jan 2026 12:01:00 GMT", undefined],
  ["", undefined],
  [["1", "2"], undefined],
  [undefined, undefined],
] as const) {
  test(`Retry-After ${JSON.stringify(header)} asks for ${ms} ms`, () =>
    assert.equal(retryAfterMs(header, NOW), ms));
}
