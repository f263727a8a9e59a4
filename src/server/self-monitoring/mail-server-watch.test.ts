import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createMailServerWatch } from "./mail-server-watch.ts";

const MINUTE_MS = 60_000;

test("a mail server works or fails only once that was found, and fails after two attempts", async () => {
  const clock = fakeClock();
  const answers: (string | undefined)[] = ["refused", "refused", undefined, "refused", undefined];
  const never = Promise.withResolvers<undefined>();
  const verify = (): Promise<string | undefined> =>
    answers.length === 0 ? never.promise : Promise.resolve(answers.shift());
  const watch = createMailServerWatch({ verify, clock });
  assert.equal(watch.works(), undefined, "before the first attempt");
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  const found: (boolean | undefined)[] = [];
  for (const ms of [0, 15_000, MINUTE_MS, MINUTE_MS, 15_000]) {
    await clock.advance(ms);
    found.push(watch.works());
  }
  assert.deepEqual(found, [undefined, false, true, true, true]);
  stop.abort();
  never.resolve(undefined);
  await running;
});
