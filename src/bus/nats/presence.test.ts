import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import type { PresenceBeat } from "./messages.ts";
import { createPresence, MAX_PROBES } from "./presence.ts";

const key = { generation: 1, region: "nam" } as const;
const one: PresenceBeat = {
  instance: "one",
  versions: [1],
  types: ["HTTP", "PING"],
  leaving: false,
};
const two: PresenceBeat = { ...one, instance: "two" };

function start() {
  const clock = fakeClock();
  const counts = { gone: 0, refused: 0 };
  let hears = true;
  const presence = createPresence({
    clock,
    canHear: () => hears,
    onGone: () => (counts.gone += 1),
    onRefused: () => (counts.refused += 1),
  });
  return { clock, counts, presence, hear: (value: boolean) => (hears = value) };
}

test("a location is live until its last probe was not heard for six seconds", async () => {
  const { clock, counts, presence } = start();
  presence.heard(key, one);
  await clock.advance(3000);
  presence.heard(key, two);
  await clock.advance(6000);
  assert.deepEqual(presence.key(), key);
  await clock.advance(1);
  assert.deepEqual([presence.key(), counts.gone], [undefined, 1]);
});

test("a probe that leaves takes no more jobs, and what it has taken it still answers", () => {
  const { counts, presence } = start();
  presence.heard(key, one);
  presence.heard(key, two);
  presence.heard(key, { ...one, leaving: true });
  assert.deepEqual(presence.key(), key);
  presence.heard(key, { ...two, leaving: true });
  assert.deepEqual([presence.key(), counts.gone], [undefined, 0]);
});

test("a location that took no job is not live until it is heard again", () => {
  const { counts, presence } = start();
  presence.heard(key, one);
  presence.lost();
  presence.lost();
  assert.deepEqual([presence.key(), counts.gone], [undefined, 1]);
  presence.heard(key, one);
  assert.deepEqual(presence.key(), key);
});

test("while no probe can be heard, none is gone, and afterwards each has its time again", async () => {
  const { clock, presence, hear } = start();
  presence.heard(key, one);
  hear(false);
  await clock.advance(60_000);
  assert.deepEqual(presence.key(), key);
  hear(true);
  presence.hearAgain();
  await clock.advance(6000);
  assert.deepEqual(presence.key(), key);
  await clock.advance(1);
  assert.equal(presence.key(), undefined);
});

test("jobs go to the probes with the newest key", () => {
  const { presence } = start();
  presence.heard({ ...key, generation: 2 }, one);
  presence.heard({ generation: 1, region: "eur" }, two);
  assert.deepEqual(presence.key(), { generation: 2, region: "nam" });
});

test("of two keys of one generation the one that was heard first stays", () => {
  const { presence } = start();
  presence.heard(key, one);
  presence.heard({ ...key, region: "eur" }, two);
  presence.heard({ ...key, region: "eur" }, two);
  assert.deepEqual(presence.key(), key);
});

test("a location runs a type where each of its probes does", () => {
  const { presence } = start();
  presence.heard(key, one);
  presence.heard(key, { ...two, types: ["HTTP"] });
  assert.deepEqual(
    ["HTTP", "PING"].map((type) => presence.runs(type)),
    [true, false],
  );
});

test("a probe of another version is not live", () => {
  const { presence } = start();
  presence.heard(key, { ...one, versions: [2, 3] });
  assert.equal(presence.key(), undefined);
});

// guard: probes of a location
test("probes beyond the number that is kept are refused, until one that is silent makes room", async () => {
  const { clock, counts, presence } = start();
  for (let no = 0; no < 200_000; no += 1) presence.heard(key, { ...one, instance: `probe ${no}` });
  assert.equal(counts.refused, 200_000 - MAX_PROBES);
  assert.deepEqual(presence.key(), key);
  await clock.advance(6000);
  presence.heard(key, { ...one, instance: "probe 0" });
  await clock.advance(1);
  presence.heard(key, { ...one, instance: "new" });
  assert.equal(counts.refused, 200_000 - MAX_PROBES);
  presence.heard(key, { ...one, instance: "probe 0", leaving: true });
  assert.deepEqual(presence.key(), key);
});

test("the version of the program is that of the first probe with the newest key", () => {
  const { presence } = start();
  assert.deepEqual(presence.program(), {});
  presence.heard(key, { ...one, program: "1.2.3" });
  presence.heard(key, { ...two, program: "1.3.0" });
  assert.deepEqual(presence.program(), { version: "1.2.3" });
  presence.heard({ ...key, generation: 2 }, { ...two, instance: "three" });
  assert.deepEqual(presence.program(), {});
});
