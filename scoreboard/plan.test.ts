import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createPlan } from "./plan.ts";
import { controls } from "./scenarios/network.ts";
import { scenarios } from "./scenarios/registry.ts";
import { troubles } from "./scenarios/troubles.ts";

const wanted = {
  scenarios: [...scenarios, ...controls],
  troubles,
  schedule: { intervalSeconds: 15, timeoutSeconds: 5, confirmations: 3 },
  minutes: 30,
  seed: 1,
};

test("there are fifty scenarios and more, each with a name of its own that a label can be", () => {
  const names = [...wanted.scenarios, ...troubles].map(({ name }) => name);
  assert.ok(scenarios.length + troubles.length >= 50);
  assert.equal(controls.length, 10);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z0-9-]+$/);
});

test("a seed brings the same plan back, and another one another plan", () => {
  assert.deepEqual(createPlan(wanted), createPlan(wanted));
  assert.notDeepEqual(createPlan(wanted).steps, createPlan({ ...wanted, seed: 2 }).steps);
});

test("whatever fails is mended, one after the other, and troubles never overlap", () => {
  fc.assert(
    fc.property(
      fc.record({
        minutes: fc.integer({ min: 1, max: 60 }),
        seed: fc.nat(),
        chosen: fc.subarray([...wanted.scenarios]),
        given: fc.subarray([...troubles]),
      }),
      ({ minutes, seed, chosen, given }) => {
        const plan = createPlan({ ...wanted, minutes, seed, scenarios: chosen, troubles: given });
        const open = new Set<string>();
        let inFlight = 0;
        let last = 0;
        for (const { at, kind, name } of plan.steps) {
          assert.ok(at >= last && at <= plan.seconds, `${name} at ${at} of ${plan.seconds}`);
          last = at;
          const key = `${kind === "fail" || kind === "mend"} ${name}`;
          const isBeginning = kind === "fail" || kind === "begin";
          assert.notEqual(open.has(key), isBeginning, `${kind} ${name}`);
          if (isBeginning) open.add(key);
          else open.delete(key);
          inFlight += kind === "begin" ? 1 : kind === "end" ? -1 : 0;
          assert.ok(inFlight <= 1, "one trouble at a time");
        }
        assert.equal(open.size, 0);
      },
    ),
  );
});

test("an outage that has to be told lasts long enough for that", () => {
  const { steps, tellingSeconds } = createPlan({ ...wanted, minutes: 1 });
  for (const { name, pattern } of wanted.scenarios.filter(({ expects }) => expects === "must")) {
    if (pattern.kind !== "outage") continue;
    const own = steps.filter((step) => step.name === name);
    const [from, to] = own.map(({ at }) => at);
    assert.ok((to ?? 0) - (from ?? 0) >= tellingSeconds, name);
  }
});
