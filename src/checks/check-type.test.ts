import assert from "node:assert/strict";
import test from "node:test";

import { z } from "zod";

import { contextOf } from "../../test/contracts/check-type.ts";
import { failed, passed, type Outcome } from "../domain/run/outcome.ts";
import { defineCheckType } from "./check-type.ts";
import { password } from "./parameters/parameters.ts";
import { term } from "../schema/words.ts";

const finding = (outcome: Outcome, parameters = {}): Promise<Outcome> =>
  defineCheckType({
    type: "FINDING",
    title: term("Finding"),
    group: "network",
    summary: term("Finds the outcome that it is given"),
    target: "none",
    example: { password: "hunter2" },
    schema: z.object({ password }),
    run: () => Promise.resolve(outcome),
  })
    .prepare(parameters)
    .run(contextOf({ monotonic: () => 100 }));

const timings = { total: 0 };
const failure = failed("status", "500", "no");

test("an outcome says how long it took, unless the type does", async () => {
  assert.deepEqual((await finding(failure)).timings, { total: 0 });
  const timed = { dns: 1, total: 2 };
  assert.deepEqual((await finding({ ...failure, timings: timed })).timings, timed);
});

const rows = [
  { name: "what was answered", evidence: "500 no" },
  { name: "nothing where nothing was answered", evidence: "", expected: undefined },
  { name: "no more than its cap", evidence: "x".repeat(5000), expected: "x".repeat(4096) },
  { name: "no password", evidence: "500 hunter2", expected: "500 (hidden)" },
  {
    name: "no password that the cap cuts through",
    evidence: `${"x".repeat(4090)}hunter2`,
    expected: `${"x".repeat(4090)}(hidde`,
  },
  {
    name: "no more than its cap, where hiding makes it longer",
    evidence: "hunter2 ".repeat(512),
    expected: "(hidden) ".repeat(512).slice(0, 4096),
  },
];

for (const { name, evidence, ...row } of rows) {
  test(`the evidence of a failure is ${name}`, async () => {
    const outcome = await finding({ ...failure, evidence }, { password: "hunter2" });
    const expected = "expected" in row ? row.expected : evidence;
    assert.deepEqual(outcome, {
      timings,
      ...failure,
      ...(expected !== undefined && { evidence: expected }),
    });
  });
}

test("a pass needs no evidence", async () => {
  const pass = passed("200", "Success");
  assert.deepEqual(await finding({ ...pass, evidence: "200 yes" }), { timings, ...pass });
});
