import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";

import { checkTypes } from "../../src/checks/registry.ts";
import { excessiveCost, superlinearCost } from "./cost.ts";
import { costlyText, type Parser } from "./parsers.ts";
import { requestParsers } from "./request-parsers.ts";
import { costlyRequests, costlyTexts, costlyValues } from "./run.ts";
import { openSessions } from "./sessions.ts";
import { targetParsers } from "./target-parsers.ts";

/** Many more, or those of a seed again: `node test/hostile-inputs/main.ts 100 [seed]`. */
const run = { seed: randomInt(2 ** 31), times: 1 };

test("no text costs any parser more than 50 ms or 64 MiB, or more than its length is worth", async (context) => {
  context.diagnostic(`seed ${run.seed}`);
  assert.deepEqual(await costlyTexts(run), []);
});

test("whatever a check type reads is among those parsers", async () => {
  await using sessions = await openSessions();
  const parsers = [...requestParsers, ...targetParsers, ...sessions.parsers];
  const read = new Set(parsers.flatMap(({ types = [] }) => types));
  assert.deepEqual([...read].toSorted(), checkTypes.map(({ type }) => type).toSorted());
});

test("no value costs any parameter more than 50 ms or 64 MiB", async (context) => {
  context.diagnostic(`seed ${run.seed}`);
  assert.deepEqual(await costlyValues(run), []);
});

test("no request costs more than 50 ms or 64 MiB, whatever one of its parameters is", async (context) => {
  context.diagnostic(`seed ${run.seed}`);
  assert.deepEqual(await costlyRequests(run), []);
});

/** Begins again at every blank. */
const quadratic = (length: number): boolean => /\s+$/.test(`${" ".repeat(length)}x`);

const planted: readonly Pick<Parser, "name" | "longest" | "parse">[] = [
  { name: "a quadratic search", longest: 15_000, parse: (text) => /\s+$/.test(text) },
  {
    name: "a list of 80 MB",
    longest: 100_000,
    parse: (text) => Array.from<number>({ length: text.length * 100 }).fill(0),
  },
];

for (const { name, ...parser } of planted) {
  test(`${name} is found`, async () => {
    const costly = await costlyText(
      { name, examples: [], worst: [{ start: "", piece: " ", end: "x" }], ...parser },
      { seed: 1, texts: 0 },
    );
    assert.match(costly ?? "", / (ms|MiB)/);
  });
}

test("what is quadratic is found by its parts", async () => {
  const costly = await superlinearCost(
    () => quadratic(16_000),
    () => quadratic(2000),
  );
  assert.match(costly ?? "", /in 8 parts/);
});

test("what is refused is measured as what is read", async () => {
  const refuse = (): never => {
    quadratic(15_000);
    throw new Error("refused");
  };
  assert.match((await excessiveCost(refuse)) ?? "", / ms/);
});
