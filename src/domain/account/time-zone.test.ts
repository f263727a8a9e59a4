import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { minutesOf, shownTimeOf, testedZones } from "../../../test/time/time-zones.ts";
import { firstInstantAt, instantsAt, nextClockChange, offsetIn, wallTimeIn } from "./time-zone.ts";

const HOUR_MS = 3_600_000;

for (const timeZone of testedZones) {
  test(`clocks in ${timeZone} show what another way of finding it shows, and a time shown leads back`, () => {
    const shown = shownTimeOf(timeZone);
    fc.assert(
      fc.property(minutesOf(timeZone), (at) => {
        assert.equal(at + offsetIn(timeZone, at), shown(at));
        const wallTime = wallTimeIn(timeZone, at).toPlainDateTime();
        const instants = instantsAt(timeZone, wallTime);
        assert.ok(instants.includes(at));
        for (const instant of instants) assert.equal(shown(instant), shown(at));
        assert.equal(firstInstantAt(timeZone, wallTime), Math.min(...instants));
        const change = nextClockChange(timeZone, at);
        if (change === undefined) return;
        assert.ok(change > at);
        assert.notEqual(shown(change) - change, shown(change - 1) - (change - 1));
      }),
    );
  });
}

test("a time that a change of the clocks skips is at no instant, and first at the change", () => {
  const skipped = Temporal.PlainDateTime.from("2026-03-29T02:30");
  assert.deepEqual(instantsAt("Europe/Berlin", skipped), []);
  assert.equal(firstInstantAt("Europe/Berlin", skipped), Date.UTC(2026, 2, 29, 1));
});

test("a time that a change of the clocks repeats is at two instants", () => {
  const repeated = Temporal.PlainDateTime.from("2026-10-25T02:30");
  const first = Date.UTC(2026, 9, 25, 0, 30);
  assert.deepEqual(instantsAt("Europe/Berlin", repeated), [first, first + HOUR_MS]);
  assert.equal(firstInstantAt("Europe/Berlin", repeated), first);
});

test("an offset has no changes", () => {
  assert.equal(offsetIn("+05:45", 0), 5.75 * HOUR_MS);
  assert.equal(nextClockChange("+05:45", 0), undefined);
});
