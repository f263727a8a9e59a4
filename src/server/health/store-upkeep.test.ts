import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { waitForMissingFiles } from "./store-upkeep.ts";

test("files of the database that are gone are reported within half a second", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  let gone: string | undefined;
  let reported: string | undefined;
  void waitForMissingFiles({ filesGone: () => gone }, { clock, signal: stop.signal }).then(
    (sentence) => (reported = sentence),
  );
  await clock.advance(60_000);
  assert.equal(reported, undefined);
  gone = "the database was deleted";
  await clock.advance(500);
  assert.equal(reported, gone);
});
