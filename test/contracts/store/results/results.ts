import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Check } from "../../../../src/domain/check.ts";
import type { Result } from "../../../../src/domain/run/result.ts";
import type { ResultQuery, StoredResult } from "../../../../src/store/results.ts";
import { aCheck, alice, aResult, minute, noon } from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const day = 24 * 60 * minute;
const everything = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 43_201 } as const;
const newest = { ...everything, order: "newest" } as const;
const oldest = { ...everything, order: "oldest" } as const;

/** Storage steps of results before they are read. */
interface Storing {
  readonly name: string;
  readonly settle: (store: ContractStore) => Promise<void>;
}

const storings: readonly Storing[] = [
  { name: "rows", settle: () => Promise.resolve() },
  {
    name: "packed days",
    async settle(store) {
      await pack(store);
      assert.ok((await store.count("packed_days")) > 0, "nothing was packed");
    },
  },
];

/** Advances a day, after which everything stored so far is packed. */
async function pack(store: ContractStore): Promise<void> {
  await store.pass(day + 13 * 60 * minute);
  await store.runHousekeeping();
}

export function resultContract(open: OpenStore): void {
  for (const { name, settle } of storings)
    suite(`results in ${name}`, () => {
      readContract(open, settle);
      lifeContract(open, settle);
    });
  waitContract(open);
}

/** Two days of results, every half an hour, some of which failed in unusual ways. */
function twoDays({ no }: Check): readonly Result[] {
  return Array.from({ length: 96 }, (_, index) => {
    const startedAt = noon - 12 * 60 * minute + index * 30 * minute;
    const tick = startedAt - (index % 5);
    if (index % 7 !== 0) {
      const timings = { connect: 20 + index, total: 40 + index };
      return aResult(no, startedAt, { tick, timings, text: "200", runtimeMs: 41 });
    }
    return aResult(no, startedAt, {
      tick,
      revision: index > 50 ? 2 : 1,
      passed: false,
      reason: "status",
      text: "503",
      message: `HTTP status returned: 503 – «${"Überlast ".repeat(index)}» 007`,
      location: "ny",
      endedAt: startedAt + 12_345,
      earlierRuns: [
        [startedAt - 2000, "ld", false],
        [startedAt - 1000, "sg", true],
      ],
    });
  });
}

async function read(store: ContractStore, query: ResultQuery): Promise<readonly StoredResult[]> {
  return (await Array.fromAsync(store.results.page(query))).flat();
}

async function withResults(open: OpenStore, settle: Storing["settle"]) {
  const store = await open();
  const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
  const changed = { ...check, intervalMinutes: 5, parameters: { target: "new.example.net" } };
  await store.write(({ checks }) =>
    checks.update({ ...changed, revision: 2, runRevision: 2 }, noon),
  );
  const kept = twoDays(check);
  for (const result of kept) await store.append(result);
  await settle(store);
  const shown = kept.map((result) => ({
    ...result,
    type: check.type,
    timeoutSeconds: check.timeoutSeconds,
    ...(result.revision === 1
      ? { target: "host.example.net", intervalMinutes: 1 }
      : { target: "new.example.net", intervalMinutes: 5 }),
  }));
  return { store, check, shown };
}

function readContract(open: OpenStore, settle: Storing["settle"]): void {
  test("they come back as they were stored, in both orders, to their limit and within their range", async () => {
    const { store, check, shown } = await withResults(open, settle);
    await using _ = store;
    const checkNo = check.no;
    assert.deepEqual(await read(store, { ...oldest, checkNo }), shown);
    assert.deepEqual(await read(store, { ...newest, checkNo }), shown.toReversed());
    const [from = 0, to = 0] = [shown[10]?.startedAt, shown[80]?.startedAt];
    const within = shown.slice(10, 81);
    assert.deepEqual(await read(store, { ...oldest, checkNo, from, to }), within);
    for (const limit of [1, 30, 60, 61, 71, 72]) {
      const first = await read(store, { ...oldest, checkNo, from, to, limit });
      assert.deepEqual(first, within.slice(0, limit));
      const last = await read(store, { ...newest, checkNo, from, to, limit });
      assert.deepEqual(last, within.toReversed().slice(0, limit));
    }
    assert.deepEqual(await read(store, { ...newest, checkNo, from: to + 1, to: to + 2 }), []);
    assert.deepEqual(await read(store, { ...newest, checkNo, from, to: from }), [shown[10]]);
    assert.deepEqual(await read(store, { ...newest, checkNo: checkNo + 1 }), []);
  });

  test("the last is found, also by an instant and within a unit, and so is its tick", async () => {
    const { store, check, shown } = await withResults(open, settle);
    await using _ = store;
    const last = shown.at(-1);
    assert.ok(last);
    assert.deepEqual(await store.results.last(check.no), last);
    assert.deepEqual(await store.write(({ results }) => results.last(check.no)), last);
    for (const index of [0, 40, 47, 48]) {
      const at = shown[index]?.startedAt ?? 0;
      assert.deepEqual(await store.results.last(check.no, at), shown[index]);
      assert.deepEqual(await store.results.last(check.no, at - 1), shown[index - 1]);
    }
    assert.equal(await store.results.last(check.no + 1), undefined);
    const other = await store.write(({ checks }) => checks.insert(aCheck("other")));
    await store.append(aResult(other.no, noon + 9 * day, { tick: noon }));
    const active = (await Array.fromAsync(store.checks.listActive())).flat();
    assert.deepEqual(
      active.map((one) => [one.check.no, one.lastTick, one.lastStartedAt]),
      [
        [check.no, last.tick, last.startedAt],
        [other.no, noon, noon + 9 * day],
      ],
    );
  });
}

function waitContract(open: OpenStore): void {
  test("a result that may wait is stored with those of the next 50 ms, and another at once", async () => {
    await using store = await open();
    const check = await store.write((tx) => tx.checks.insert(aCheck("check")));
    const append = (startedAt: number, mayWait: boolean): Promise<unknown> =>
      store.append(aResult(check.no, startedAt), { mayWait });
    const waiting = [append(noon + 2, true), append(noon + 3, true)];
    await append(noon + 1, false);
    const starts = async (): Promise<readonly number[]> =>
      (await read(store, { ...oldest, checkNo: check.no })).map(({ startedAt }) => startedAt);
    assert.deepEqual(await starts(), [noon + 1]);
    await store.pass(50);
    await Promise.all(waiting);
    assert.deepEqual(await starts(), [noon + 1, noon + 2, noon + 3]);
  });
}

function lifeContract(open: OpenStore, settle: Storing["settle"]): void {
  test("one that comes late is read in its place, and packed with the others the next day", async () => {
    const { store, check, shown } = await withResults(open, settle);
    await using _ = store;
    const [first, second] = shown;
    assert.ok(first && second);
    const startedAt = first.startedAt + 7;
    const late = { ...second, ...aResult(check.no, startedAt, { tick: first.tick + 1 }) };
    const afterwards = aResult(check.no, (shown.at(-1)?.startedAt ?? 0) + minute);
    for (const result of [late, afterwards]) await store.append(result);
    const all = [first, late, ...shown.slice(1), { ...second, ...afterwards }];
    const checkNo = check.no;
    for (let rounds = 0; rounds < 2; rounds += 1) {
      assert.deepEqual(await read(store, { ...oldest, checkNo }), all);
      assert.deepEqual(await read(store, { ...newest, checkNo }), all.toReversed());
      assert.deepEqual(await read(store, { ...newest, checkNo, to: startedAt }), [late, first]);
      assert.deepEqual(await store.results.last(checkNo, startedAt), late);
      await settle(store);
    }
  });

  test("one of which a row is left where it was packed is read once", async () => {
    const { store, check, shown } = await withResults(open, settle);
    await using _ = store;
    const again = twoDays(check).slice(0, 3);
    for (const result of again) await store.append(result);
    assert.deepEqual(await read(store, { ...oldest, checkNo: check.no }), shown);
    await settle(store);
    assert.deepEqual(await read(store, { ...oldest, checkNo: check.no }), shown);
  });

  test("those of a deleted check are purged, and those of others are not", async () => {
    const { store, check } = await withResults(open, settle);
    await using _ = store;
    const other = await store.write(({ checks }) => checks.insert(aCheck("other")));
    await store.append(aResult(other.no, noon));
    await settle(store);
    await store.write(({ checks }) => checks.remove(alice.id, check.id, noon));
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await store.pass(11 * minute);
      await store.runHousekeeping();
    }
    assert.deepEqual(await read(store, { ...newest, checkNo: check.no }), []);
    assert.equal((await read(store, { ...newest, checkNo: other.no })).length, 1);
    assert.equal(await store.count("removed_checks"), 0);
    assert.ok((await store.count("packed_days")) <= 1);
  });
}
