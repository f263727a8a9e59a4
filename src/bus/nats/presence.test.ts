import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import type { Beat } from "./messages.ts";
import { createPresence } from "./presence.ts";

const ny: Beat = {
  instance: "one",
  region: "nam",
  versions: [1],
  generation: 1,
  types: ["HTTP", "PING"],
  leaving: false,
};

function start() {
  const clock = fakeClock();
  const gone: string[] = [];
  let hears = true;
  const presence = createPresence({
    clock,
    canHear: () => hears,
    onGone: (location) => void gone.push(location),
  });
  return { clock, gone, presence, hear: (value: boolean) => (hears = value) };
}

test("a location is live until its last probe was not heard for six seconds", async () => {
  const { clock, gone, presence } = start();
  presence.heard("ny", ny);
  await clock.advance(3000);
  presence.heard("ny", { ...ny, instance: "two" });
  await clock.advance(6000);
  assert.deepEqual(presence.live(), [{ code: "ny", region: "nam" }]);
  await clock.advance(1);
  assert.deepEqual([presence.live(), gone], [[], ["ny"]]);
});

test("a probe that leaves takes no more jobs, and what it has taken it still answers", () => {
  const { gone, presence } = start();
  presence.heard("ny", ny);
  presence.heard("ny", { ...ny, instance: "two" });
  presence.heard("ny", { ...ny, leaving: true });
  assert.equal(presence.live().length, 1);
  presence.heard("ny", { ...ny, instance: "two", leaving: true });
  assert.deepEqual([presence.live(), presence.generationOf("ny"), gone], [[], undefined, []]);
});

test("a location that took no job is not live until it is heard again", () => {
  const { gone, presence } = start();
  presence.heard("ny", ny);
  presence.lost("ny");
  presence.lost("ny");
  assert.deepEqual([presence.live(), gone], [[], ["ny"]]);
  presence.heard("ny", ny);
  assert.equal(presence.live().length, 1);
});

test("while nobody can be heard, nobody is gone, and afterwards each has its time again", async () => {
  const { clock, presence, hear } = start();
  presence.heard("ny", ny);
  hear(false);
  await clock.advance(60_000);
  assert.equal(presence.live().length, 1);
  hear(true);
  presence.hearAgain();
  await clock.advance(6000);
  assert.equal(presence.live().length, 1);
  await clock.advance(1);
  assert.equal(presence.live().length, 0);
});

test("jobs go to the probes with the newest key", () => {
  const { presence } = start();
  presence.heard("ny", { ...ny, generation: 2 });
  presence.heard("ny", { ...ny, instance: "two", region: "eur" });
  assert.equal(presence.generationOf("ny"), 2);
  assert.deepEqual(presence.live(), [{ code: "ny", region: "nam" }]);
});

test("a location runs a type where each of its probes does", () => {
  const { presence } = start();
  presence.heard("ny", ny);
  presence.heard("ny", { ...ny, instance: "two", types: ["HTTP"] });
  assert.deepEqual(
    ["HTTP", "PING"].map((type) => presence.live(type).length),
    [1, 0],
  );
});

test("a probe of another version is not live", () => {
  const { presence } = start();
  presence.heard("ny", { ...ny, versions: [2, 3] });
  assert.deepEqual(presence.live(), []);
});

test("of a location that is gone it is known for a week when it was heard last", async () => {
  const { clock, presence } = start();
  presence.heard("ny", ny);
  assert.deepEqual(presence.gone(), []);
  await clock.advance(60_000);
  assert.deepEqual(presence.gone(), [{ code: "ny", region: "nam", seenMsAgo: 60_000 }]);
  presence.heard("ny", ny);
  assert.deepEqual(presence.gone(), []);
  presence.heard("ny", { ...ny, leaving: true });
  assert.deepEqual(presence.gone(), [{ code: "ny", region: "nam", seenMsAgo: 0 }]);
  await clock.advance(7 * 86_400_000);
  assert.equal(presence.gone().length, 1);
  await clock.advance(1);
  assert.deepEqual(presence.gone(), []);
});
