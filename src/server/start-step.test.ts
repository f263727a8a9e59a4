import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { Conflict, Unavailable } from "../kit/errors.ts";
import { silentLog } from "../kit/log.ts";
import { createStartStep } from "./start-step.ts";

/** A start whose steps fail with these errors first. */
function scene(errors: readonly Error[]) {
  const clock = fakeClock();
  const left = [...errors];
  const reached: boolean[] = [];
  const logged: unknown[] = [];
  const step = createStartStep({
    clock,
    log: {
      ...silentLog,
      warn: (event: string, fields?: object) => void logged.push([event, fields]),
    },
    reachDatabase: async (isListening) => void reached.push(isListening),
  });
  const work = async (): Promise<string> => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return "started";
  };
  return { clock, step, work, reached, logged, left };
}

const gone = (): Error => new Unavailable("the database closed the connection");

test("a step that the database ends is run again a second later, once the database is reached", async () => {
  const { clock, step, work, reached, logged } = scene([gone(), gone()]);
  const started = step(work, { isListening: true });
  await clock.advance(3000);
  assert.equal(await started, "started");
  assert.deepEqual(reached, [true, true]);
  assert.deepEqual(
    logged,
    [1, 2].map((attempt) => [
      "store.start_retry",
      { attempt, error: "the database closed the connection" },
    ]),
  );
});

test("a start fails with the last reason after ten attempts", async () => {
  const { clock, step, work, reached } = scene(Array.from({ length: 10 }, gone));
  const failed = assert.rejects(step(work), /closed the connection/);
  await clock.advance(60_000);
  await failed;
  assert.deepEqual(
    reached,
    Array.from({ length: 9 }, () => false),
  );
});

test("what no time changes is not tried again", async () => {
  const { step, work, reached } = scene([new Conflict("written with another instance key")]);
  await assert.rejects(step(work), /another instance key/);
  assert.deepEqual(reached, []);
});
