import assert from "node:assert/strict";
import { test } from "node:test";

import { tomorrowMorning } from "./mute-end.ts";

for (const { name, now, end } of [
  { name: "in the evening", now: new Date(2026, 0, 5, 22, 17), end: new Date(2026, 0, 6, 8) },
  { name: "after midnight", now: new Date(2026, 0, 6, 0, 30), end: new Date(2026, 0, 7, 8) },
  {
    name: "on the last day of a year",
    now: new Date(2026, 11, 31, 9),
    end: new Date(2027, 0, 1, 8),
  },
])
  test(`a mute until tomorrow that is set ${name} ends at eight on the next day`, () => {
    assert.equal(tomorrowMorning(now.getTime()), end.getTime());
  });
