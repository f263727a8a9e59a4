import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptedEncoding } from "./accepted-encoding.ts";

for (const { header, expected } of [
  { header: undefined, expected: undefined },
  { header: "", expected: undefined },
  { header: "gzip, deflate, br, zstd", expected: "br" },
  { header: "gzip", expected: "gzip" },
  { header: "GZIP;q=0.5", expected: "gzip" },
  { header: "br;q=0, gzip;q=1.0", expected: "gzip" },
  { header: "br;q=0.000", expected: undefined },
  { header: "*", expected: "br" },
  { header: "br;q=0, *;q=0.1", expected: "gzip" },
  { header: "identity", expected: undefined },
  { header: "bro, xgzip", expected: undefined },
  { header: ";;;,,,q=,br;x;q=x", expected: undefined },
]) {
  test(`of br and gzip, ${JSON.stringify(header)} takes ${expected ?? "neither"}`, () => {
    assert.equal(acceptedEncoding(header, ["br", "gzip"]), expected);
  });
}
