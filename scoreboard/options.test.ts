import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { test } from "node:test";

import { options, optionsFrom, type Options } from "./options.ts";

const parsed = (...args: readonly string[]): Options =>
  optionsFrom(parseArgs({ args: [...args], options }).values);

test("an invalid option is refused by its name", () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ["--minutes=Infinity", /--minutes must be a number above 0/],
    ["--minutes=0", /--minutes must be a number above 0/],
    ["--seed=1.5", /--seed must be a whole number/],
    ["--interval=20", /--interval must be one of 15, 30, 60/],
    ["--output=/no/such/folder", /--output: there is no folder/],
    ["--only=nothing", /--only: there is no scenario nothing/],
    ["--monitors=nothing", /--monitors: there is no nothing/],
    ["--unknown", /--unknown/],
  ];
  for (const [arg, message] of refused) assert.throws(() => parsed(arg), message, arg);
});

test("a part of the scenarios has all controls, and a monitor that is named twice runs once", () => {
  const { scenarios, troubles, monitors } = parsed("--only=tls,own-k", "--monitors=monit,monit");
  assert.equal(scenarios.filter(({ expects }) => expects === "never").length, 10);
  assert.ok(scenarios.some(({ name }) => name === "tls-expired"));
  assert.deepEqual(
    [...troubles, ...monitors].map(({ name }) => name),
    ["own-kill", "monit"],
  );
});

test("as fast as each accepts is with one failed run, and no short outage is then a false alarm", () => {
  const { schedule, scenarios } = parsed("--fast");
  assert.deepEqual(schedule, { intervalSeconds: 5, timeoutSeconds: 5, confirmations: 1 });
  const expectations = scenarios
    .filter(({ pattern }) => pattern.kind === "blips")
    .map(({ expects }) => expects);
  assert.deepEqual(new Set(expectations), new Set(["may"]));
  assert.ok(
    parsed().scenarios.some(({ name, expects }) => name === "blip-1s-web" && expects === "never"),
  );
});
