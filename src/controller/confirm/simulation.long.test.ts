import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { invariants } from "../../../test/simulation/invariants.ts";
import { simulate, type Step } from "../../../test/simulation/simulate.ts";

const SECOND = 1000;
const check = fc.constantFrom("hasty", "usual", "careful");
const location = fc.constantFrom("aa", "bb", "cc");

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.nat(90 * SECOND) }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant("target"), check, up: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("location"),
      location,
      is: fc.constantFrom("well", "offline", "silent", "lying"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("store"), commits: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("receiver"),
      is: fc.constantFrom("well", "busy", "unclear", "gone", "hanging"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("acknowledge"), check, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("put"), check }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("enable"), check, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("enable-all"), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("blink-all") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove"), check }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("restart"), crash: fc.boolean() }) },
);

test("whatever happens, flips are confirmed, spans fit, alerts match and no result is out of order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 25, size: "max" }),
      async (steps) => {
        await using end = await simulate(steps);
        const broken = Object.entries(invariants).flatMap(([name, violations]) =>
          violations(end).map((violation) => `${name}: ${violation}`),
        );
        assert.deepEqual(broken, []);
      },
    ),
    { seed: 2, numRuns: 24, endOnFailure: true },
  );
});
