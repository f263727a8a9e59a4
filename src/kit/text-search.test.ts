import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { cpuTimeMs } from "../../test/time/cpu-time.ts";
import { contains, prefixMatcher } from "./text-search.ts";

const letters = (limits: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), ...limits });

test("a text is found as includes finds it, however long it is", () => {
  const long = letters({ minLength: 80, maxLength: 150 });
  fc.assert(
    fc.property(letters(), fc.oneof(letters(), long), letters(), (before, wanted, after) => {
      assert.equal(contains(`${before}${wanted}${after}`, wanted), true);
      const other = `${before}${wanted.slice(1)}${after}`;
      assert.equal(contains(other, wanted), other.includes(wanted));
    }),
  );
});

test("the progress is the longest beginning that the text ends with", () => {
  fc.assert(
    fc.property(letters({ minLength: 1, maxLength: 6 }), letters(), (wanted, text) => {
      const progress = prefixMatcher(wanted);
      for (let at = 0; at < text.length; at += 1) {
        const read = text.slice(0, at + 1);
        let longest = Math.min(wanted.length, read.length);
        while (!read.endsWith(wanted.slice(0, longest))) longest -= 1;
        assert.equal(progress(text.charCodeAt(at)), longest, `${wanted} after ${read}`);
      }
    }),
  );
});

// guard: linear search of texts
test("what is worst to look for takes no longer than the rest", () => {
  const text = "a".repeat(2 ** 20);
  /** The least of some times, for the clock of a thread is coarse and code is compiled meanwhile. */
  const took = (wanted: string): number => {
    const work = (): void => {
      for (let time = 0; time < 5; time += 1) assert.equal(contains(text, wanted), false);
    };
    return Math.min(...Array.from({ length: 4 }, () => cpuTimeMs(work)));
  };
  const half = "a".repeat(5000);
  const usual = took("b".repeat(10_000));
  // A naive search takes a hundred times as long.
  assert.ok(took(`${half}b${half}`) < 20 * usual);
});
