import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Interval } from "../judges/timeline.ts";
import { handoversIn, judgeShards, type ShardSample } from "./judge-shards.ts";

/** A controller beats each second until it dies; another has its shard after a while. */
function samples(diesAt: number, takenAfter: number, until: number): readonly ShardSample[] {
  return Array.from({ length: until + 1 }, (_, second) => ({
    at: second * 1000,
    beats: new Map([
      ["dead", Math.min(second, diesAt)],
      ["other", second],
    ]),
    owners: ["other", second < diesAt + takenAfter ? "dead" : "other"],
  }));
}

function found(all: readonly ShardSample[], lost: readonly Interval[] = []): readonly string[] {
  return judgeShards(all, handoversIn(all, lost)).map(({ about, what }) => `${about} ${what}`);
}

suite("the shards of an installation", () => {
  test("are right where they are taken over in time", () => {
    const all = samples(5, 7, 20);
    assert.deepEqual(found(all), []);
    assert.deepEqual(handoversIn(all, []), [
      { shard: 1, at: 12_000, tookMs: 7000, isTakeOver: true },
    ]);
  });

  test("are abandoned where they are taken over late", () => {
    assert.deepEqual(found(samples(5, 11, 20)), ["shard 1 was nobody's for 11000 ms"]);
  });

  test("are right where nobody could take them over meanwhile", () => {
    assert.deepEqual(found(samples(5, 11, 20), [{ from: 6000, to: 9000 }]), []);
  });

  test("are abandoned where they have no owner in the end", () => {
    const all = samples(5, 7, 20);
    const last = { at: 21_000, beats: new Map(), owners: ["other", null] };
    assert.deepEqual(found([...all, last]), ["shard 1 has no owner in the end"]);
  });

  test("are not taken over where a living owner gave them away", () => {
    const all = samples(5, 1, 8);
    assert.deepEqual(
      handoversIn(all, []).map(({ isTakeOver, tookMs }) => [isTakeOver, tookMs]),
      [[false, 1000]],
    );
  });
});
