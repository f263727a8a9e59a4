import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { Check } from "../../../src/domain/check.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Gap } from "../../../src/store/tables/checks.ts";
import { aCheck, aResult, alice, minute, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

/** Operation to store: results alone, or a transaction with results and one of several ends. */
const part = fc.record({
  kind: fc.constantFrom("results", "results", "unit", "closing", "throws", "refused"),
  offsets: fc.uniqueArray(fc.nat(9), { maxLength: 4 }),
  message: fc.constantFrom("", "connected", `"it's", {a} \\ é\n`, "no text of PostgreSQL: \u0000"),
});
type Part = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

const gap: Gap = {
  kind: "undecided",
  reason: "offline",
  message: "",
  firstTick: noon,
  lastTick: noon,
  ticks: 1,
};

/** The part at a place of a mix; no two of a mix have results with the same key. */
function put(store: Store, { no }: Check, [place, { kind, offsets, message }]: [number, Part]) {
  const results = offsets.map((offset) =>
    aResult(no, noon + place * minute + offset, {
      message,
      passed: offset > 1,
      ...(offset > 2 && {
        earlierRuns: [[noon, "ny", false]] as const,
        timings: { total: offset },
      }),
    }),
  );
  if (kind === "results" || kind === "closing")
    return Promise.all(
      results.map((result) => store.append(result, { closesGap: kind === "closing" })),
    );
  return store.write(
    async (tx) => {
      for (const result of results) await tx.results.append(result);
      if (kind === "refused") await tx.accounts.insert(alice);
      if (kind === "throws") throw new RangeError("planted");
    },
    { checks: [no] },
  );
}

async function kept(store: Store, { no }: Check): Promise<unknown> {
  const query = { checkNo: no, from: 0, to: 2 * noon, limit: 999, order: "oldest" } as const;
  const results = (await Array.fromAsync(store.results.page(query))).flat();
  return {
    results: results.map(({ checkNo: _checkNo, ...result }) => result),
    openGap: (await store.checks.findActive(no))?.openGap,
  };
}

export function mixedUnitContract(open: OpenStore): void {
  test("any mix of units and results that are stored together ends as one by one", async () => {
    await using store = await open();
    let checks = 0;
    const newCheck = (): Promise<Check> =>
      store.write(async (tx) => {
        const check = await tx.checks.insert(aCheck(`check-${(checks += 1)}`));
        await tx.states.recordGap(check.no, gap);
        return check;
      });
    const property = fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (mix) => {
      const [one, other] = [await newCheck(), await newCheck()];
      const settleAll = await Promise.allSettled(
        [...mix.entries()].map((each) => put(store, one, each)),
      );
      for (const each of mix.entries()) {
        const [{ status }] = await Promise.allSettled([put(store, other, each)]);
        assert.equal(settleAll[each[0]]?.status, status);
      }
      assert.deepEqual(await kept(store, one), await kept(store, other));
    });
    await fc.assert(property, { numRuns: 12 });
  });

  const someGap = fc.record({
    check: fc.nat(3),
    kind: fc.constantFrom("missed", "undecided"),
    reason: fc.constantFrom("overloaded", "not_running"),
    message: fc.constantFrom("", `"it's", {a} \\ é`),
    lastTick: fc.nat(3).map((ticks) => noon + ticks * minute),
    ticks: fc.nat(3),
  });

  test("gaps that are recorded together are what they are one by one, and those of a check that is gone are none", async () => {
    await using store = await open();
    let checks = 0;
    const newChecks = (): Promise<readonly number[]> =>
      store.write(async (tx) => {
        const nos: number[] = [];
        for (let made = 0; made < 3; made += 1)
          nos.push((await tx.checks.insert(aCheck(`check-${(checks += 1)}`))).no);
        return [...nos, 1_000_000];
      });
    const property = fc.asyncProperty(fc.array(someGap, { maxLength: 12 }), async (mix) => {
      const [ones, others] = [await newChecks(), await newChecks()];
      const of = (nos: readonly number[]) =>
        mix.map(({ check, ...each }) => ({ ...each, checkNo: nos[check] ?? 0, firstTick: noon }));
      await store.write((tx) => tx.states.recordGaps(of(ones)));
      await store.write(async (tx) => {
        for (const { checkNo, ...each } of of(others)) await tx.states.recordGap(checkNo, each);
      });
      for (const [at, no] of ones.entries())
        assert.deepEqual(
          await store.states.listGaps(no, 99),
          await store.states.listGaps(others[at] ?? 0, 99),
        );
      assert.deepEqual(await store.states.listGaps(1_000_000, 9), []);
    });
    await fc.assert(property, { numRuns: 12 });
  });
}
