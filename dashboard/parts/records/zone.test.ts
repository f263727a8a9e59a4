import assert from "node:assert/strict";
import { test } from "node:test";

import { isGmt, zoneOf } from "./zone.ts";

for (const [hours, name, zone] of [
  ["1.0", "Europe/Berlin", "Europe/Berlin"],
  ["-7.0", undefined, "-07:00"],
  ["5.75", undefined, "+05:45"],
  ["-9.5", undefined, "-09:30"],
  ["0.0", undefined, "+00:00"],
] as const)
  test(`${hours} hours and ${name ?? "no name"} are ${zone}`, () => {
    assert.equal(zoneOf(hours, name), zone);
    assert.doesNotThrow(() => new Intl.DateTimeFormat("en", { timeZone: zone }));
  });

for (const [name, expected] of [
  ["UTC", true],
  ["Etc/UTC", true],
  ["Etc/GMT", true],
  ["Etc/GMT-0", true],
  ["Etc/Unknown", true],
  ["Europe/London", false],
  ["Etc/GMT+5", false],
] as const)
  test(`${name} is ${expected ? "" : "not "}GMT all year`, () => {
    assert.equal(isGmt(name), expected);
  });
