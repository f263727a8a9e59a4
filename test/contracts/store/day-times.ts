import assert from "node:assert/strict";
import { test } from "node:test";

import { DAY_MS, dayOf, type DayTimes } from "../../../src/domain/availability.ts";
import type { State } from "../../../src/domain/run/verdict.ts";
import type { Span } from "../../../src/domain/span.ts";
import { knownSpans } from "../../../src/store/known-spans.ts";
import type { Store } from "../../../src/store/store.ts";
import { aCheck, aFlip, alice, aMaintenance, carol, minute, noon } from "../../record-builders.ts";
import { randomNumbers } from "../../fuzz/random-numbers.ts";
import type { OpenStore } from "./store.ts";

const day = dayOf(noon);
const hour = 60 * minute;

/** Goes up and down some times a day, and is paused and switched off now and then. */
async function live(store: Store, checkId: string, seed: number): Promise<number> {
  const check = await store.write(({ checks }) => checks.insert(aCheck(checkId)));
  const random = randomNumbers(seed);
  let state: State | undefined;
  let revision = check.revision;
  for (let at = noon + minute; at < noon + 6 * DAY_MS; at += Math.ceil(random() * 9 * hour)) {
    const kind = random();
    if (kind < 0.2) {
      const key = { accountId: alice.id, id: "pause" };
      const end = at + Math.ceil(random() * 30 * hour);
      await store.write(({ maintenances }) => maintenances.pauseChecks(key, [checkId], at));
      await store.write(({ maintenances }) => maintenances.resumeChecks(key, [checkId], end));
      at = end;
      revision = (await store.checks.find(alice.id, checkId))?.check.revision ?? 0;
      continue;
    }
    const to = state === "failing" ? "passing" : "failing";
    const flip = { id: `${checkId}-${at}`, from: state, to, at, since: at, revision } as const;
    await store.write(({ states }) => states.flip(aFlip(check.no, flip)));
    state = to;
  }
  return check.no;
}

function overlapOf(spans: readonly Span[], from: number, to: number): number {
  return spans.reduce(
    (sum, { start, end = to }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  );
}

export function dayTimeContract(open: OpenStore): void {
  test("the time of each day is what the spans of checks have of it", async () => {
    await using store = await open();
    await store.write(({ maintenances }) => maintenances.insert(aMaintenance("pause")));
    const numbers = [await live(store, "one", 1), await live(store, "other", 7)];
    const [from, to] = [day + DAY_MS, day + 5 * DAY_MS + 7 * hour] as const;
    const times = await store.states.listDayTimes(numbers, from, to);
    assert.deepEqual([...times.keys()], numbers);
    for (const no of numbers) {
      const { enabled, measured } = await knownSpans(store, no, [0, to]);
      const down = await store.states.listDownSpans(no, 0, to);
      let downMs = 0;
      for (let start = from; start < to; start += DAY_MS) {
        const end = Math.min(start + DAY_MS, to);
        const counted = times.get(no)?.get(start);
        assert.equal(counted?.enabledMs ?? 0, overlapOf(enabled, start, end));
        assert.equal(counted?.measuredMs ?? 0, overlapOf(measured, start, end));
        assert.equal(counted?.downMs ?? 0, overlapOf(down, start, end));
        downMs += counted?.downMs ?? 0;
        const off = end - start - (counted?.enabledMs ?? 0);
        assert.equal(counted?.maintenanceMs ?? 0, off, "all that it was off is maintenance");
      }
      assert.ok(downMs > 0);
    }
  });

  test("a check that two maintenances hold is in maintenance until the last lets go", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    await store.write(({ states }) => states.flip(aFlip(no, { to: "passing", since: noon })));
    await store.write(async ({ maintenances }) => {
      for (const id of ["one", "other"]) await maintenances.insert(aMaintenance(id));
      const [one, other] = ["one", "other"].map((id) => ({ accountId: alice.id, id }));
      assert.ok(one && other);
      await maintenances.pauseChecks(one, ["check"], noon + minute);
      await maintenances.pauseChecks(other, ["check"], noon + 2 * minute);
      await maintenances.resumeChecks(one, ["check"], noon + 3 * minute);
      await maintenances.remove(alice.id, "other", noon + 5 * minute);
    });
    const times = await store.states.listDayTimes([no], day, noon + 10 * minute);
    const expected: DayTimes = {
      enabledMs: 6 * minute,
      measuredMs: 6 * minute,
      downMs: 0,
      maintenanceMs: 4 * minute,
    };
    assert.deepEqual(times.get(no), new Map([[day, expected]]));
  });

  test("time before the first verdict is enabled, but not measured", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const range = [day, noon + 4 * hour] as const;
    const read = async () => {
      const { enabled, measured } = await knownSpans(store, no, range);
      return [enabled, measured, (await store.states.listDayTimes([no], ...range)).get(no)];
    };
    const enabled = [{ start: noon, end: undefined }];
    const unknown: DayTimes = { enabledMs: 4 * hour, measuredMs: 0, downMs: 0, maintenanceMs: 0 };
    assert.deepEqual(await read(), [enabled, [], new Map([[day, unknown]])]);
    const since = noon + 3 * hour;
    await store.write(({ states }) => states.flip(aFlip(no, { to: "passing", at: since, since })));
    const times: DayTimes = { ...unknown, measuredMs: hour };
    const known = [enabled, [{ start: since, end: undefined }], new Map([[day, times]])];
    assert.deepEqual(await read(), known);
    const failing = { from: "passing", to: "failing", at: since, since } as const;
    await store.write(({ states }) => states.flip(aFlip(no, { ...failing, id: "second" })));
    assert.equal(await store.states.knownSince(no), since, "later verdicts leave it");
    await store.write(({ states }) => states.shiftTimesAfter(noon, -hour));
    assert.equal(await store.states.knownSince(no), since - hour, "moves with a clock that is set");
  });

  test("of no checks, and of one without any time, there is nothing", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) =>
      checks.insert(aCheck("off", { enabled: false })),
    );
    assert.deepEqual(await store.states.listDayTimes([], day, noon), new Map());
    assert.deepEqual(await store.states.listDayTimes([no], day, noon), new Map([[no, new Map()]]));
  });

  test("numbers of checks are found by their ids, within the account, in the order of these", async () => {
    await using store = await open();
    const [one, other] = await store.write(async ({ checks }) => [
      await checks.insert(aCheck("one")),
      await checks.insert(aCheck("other")),
      await checks.insert(aCheck("carols", { accountId: carol.id })),
    ]);
    assert.deepEqual(
      [...(await store.checks.findNumbers(alice.id, ["other", "gone", "carols", "one"]))],
      [
        ["other", other?.no],
        ["one", one?.no],
      ],
    );
  });
}
