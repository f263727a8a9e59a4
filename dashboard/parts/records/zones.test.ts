import assert from "node:assert/strict";
import { test } from "node:test";

import { findZones, zoneAt, zonesAt } from "./zones.ts";

const JANUARY = Date.UTC(2026, 0, 15);
const JULY = Date.UTC(2026, 6, 15);
const zones = zonesAt(JULY, ["+05:45"]);

for (const [wanted, found, missing] of [
  ["Berlin", "Europe/Berlin", "Europe/Paris"],
  ["europe", "Europe/Berlin", "America/New_York"],
  ["+2", "Europe/Berlin", "Europe/London"],
  ["GMT+2", "Europe/Berlin", "Europe/London"],
  ["+02:00", "Europe/Berlin", "Europe/London"],
  ["utc-4", "America/New_York", "Europe/Berlin"],
  ["+5:45", "+05:45", "Asia/Karachi"],
  ["+5", "Asia/Karachi", "Asia/Dubai"],
  ["+0", "UTC", "Europe/London"],
  ["gmt", "UTC", "Europe/London"],
  ["new york", "America/New_York", "America/Denver"],
  ["são paulo", "America/Sao_Paulo", "America/Lima"],
  ["europe +1", "Europe/London", "Africa/Lagos"],
  ["  ", "UTC", ""],
] as const)
  test(`the search for ${JSON.stringify(wanted)} finds ${found}`, () => {
    const names = new Set(findZones(zones, wanted).map(({ name }) => name));
    assert.deepEqual([names.has(found), names.has(missing)], [true, false]);
  });

test("a city is found by its present name, whichever the browser has", () => {
  for (const city of ["kolkata", "kyiv", "yangon"])
    assert.equal(findZones(zones, city).length, 1, city);
});

test("nothing is found by what no zone has", () => {
  assert.deepEqual(findZones(zones, "atlantis"), []);
  assert.deepEqual(findZones(zones, "+15"), []);
});

test("a zone is named with its offset at present", () => {
  assert.deepEqual(
    [
      zoneAt("Europe/Berlin", JANUARY).label,
      zoneAt("Europe/Berlin", JULY).label,
      zoneAt("+05:45", JULY).label,
      zoneAt("+00:00", JULY).label,
    ],
    ["Europe/Berlin (GMT+01:00)", "Europe/Berlin (GMT+02:00)", "GMT+05:45", "GMT"],
  );
});

test("what is given comes first, and no zone twice", () => {
  const names = zonesAt(JULY, ["Europe/Berlin", "Europe/Paris"]).map(({ name }) => name);
  assert.deepEqual(names.slice(0, 3), ["Europe/Berlin", "Europe/Paris", "UTC"]);
  assert.equal(new Set(names).size, names.length);
});
