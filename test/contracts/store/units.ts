import assert from "node:assert/strict";
import { test } from "node:test";

import { recordFlip } from "../../../src/store/transactions/record-flip.ts";
import type { Store } from "../../../src/store/store.ts";
import {
  aCheck,
  aContact,
  aResult,
  alice,
  anAccount,
  minute,
  noon,
} from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";
import { nextDueAt, type ContractStore } from "./contract-store.ts";

const day = 24 * 60 * minute;

async function startsOf(
  store: ContractStore,
  query: Parameters<Store["results"]["page"]>[0],
): Promise<readonly number[]> {
  return (await Array.fromAsync(store.results.page(query)))
    .flat()
    .map(({ startedAt }) => startedAt);
}

export function unitContract(open: OpenStore): void {
  test("a unit sees its own writes", async () => {
    await using store = await open();
    const name = await store.write(async ({ accounts }) => {
      await accounts.update({ ...alice, name: "new" }, noon);
      return (await accounts.find(alice.id))?.name;
    });
    assert.equal(name, "new");
  });

  test("a unit that throws rejects with its own error, leaves nothing and takes no neighbour along", async () => {
    await using store = await open();
    const settled = await Promise.allSettled([
      store.write(({ accounts }) => accounts.insert(anAccount("before"))),
      store.write(async ({ accounts }) => {
        await accounts.insert(anAccount("bad"));
        throw new RangeError("planted");
      }),
      store.write(async ({ accounts }) => {
        await accounts.insert(anAccount("twice"));
        await accounts.insert(anAccount("twice"));
      }),
      store.write(({ accounts }) => accounts.insert(anAccount("after"))),
    ]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["fulfilled", "rejected", "rejected", "fulfilled"],
    );
    assert.ok(settled[1]?.status === "rejected" && settled[1].reason instanceof RangeError);
    const found = await Promise.all(
      ["before", "bad", "twice", "after"].map((id) => store.accounts.find(id)),
    );
    assert.deepEqual(
      found.map((account) => account?.id),
      ["before", undefined, undefined, "after"],
    );
    assert.equal(store.writeError(), undefined);
  });

  test("a flip, its result and its alerts are kept together or not at all", async () => {
    await using store = await open();
    const check = await store.write(async ({ checks, contacts }) => {
      await contacts.insert(aContact("contact"));
      return checks.insert(aCheck("check", { notifications: [{ contact: "All" }] }));
    });
    const result = aResult(check.no, noon + minute, {
      passed: false,
      reason: "refused",
      text: "Refused",
      message: "connection refused",
    });
    const confirmed = {
      check,
      target: "host",
      from: undefined,
      to: "failing",
      result,
      since: noon + minute,
      confirmations: [],
    } as const;
    const ids = { alert: () => `alert-${(serial += 1)}` };
    let serial = 0;
    const crash = store.write(async (tx) => {
      await recordFlip(tx, confirmed, ids);
      throw new Error("planted");
    });
    const neighbour = store.append(aResult(check.no, noon));
    await assert.rejects(crash, /planted/);
    await neighbour;
    assert.equal((await store.states.get(check.no)).state, undefined);
    assert.deepEqual(await store.states.listDownSpans(check.no, 0, noon + day), []);
    assert.equal((await store.results.last(check.no))?.startedAt, noon);
    assert.equal(await nextDueAt(store), undefined);

    assert.ok((await store.write((tx) => recordFlip(tx, confirmed, ids))).won);
    assert.equal((await store.states.get(check.no)).state, "failing");
    assert.equal((await store.results.last(check.no))?.startedAt, noon + minute);
    assert.equal((await (await store.at(noon + day)).alerts.listDue(9)).length, 1);
  });

  test("of two who record the same flip the loser keeps neither result nor alert", async () => {
    await using store = await open();
    const check = await store.write(async ({ checks, contacts }) => {
      await contacts.insert(aContact("contact"));
      return checks.insert(aCheck("check", { notifications: [{ contact: "All" }] }));
    });
    let serial = 0;
    const record = async (startedAt: number): Promise<boolean> => {
      const { won } = await store.write((tx) =>
        recordFlip(
          tx,
          {
            check,
            from: undefined,
            to: "failing",
            result: aResult(check.no, startedAt),
            since: startedAt,
            confirmations: [],
          },
          { alert: () => `alert-${(serial += 1)}` },
        ),
      );
      return won;
    };
    const starts = [noon, noon + 1];
    const won = await Promise.all(starts.map((startedAt) => record(startedAt)));
    const winners = starts.filter((_, at) => won[at]);
    assert.equal(winners.length, 1);
    assert.deepEqual(
      await startsOf(store, {
        checkNo: check.no,
        from: 0,
        to: noon + day,
        limit: 9,
        order: "oldest",
      }),
      winners,
    );
    assert.equal((await (await store.at(noon + day)).alerts.listDue(9)).length, 1);
  });

  test("a result comes back as it was given", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const full = aResult(no, noon, {
      tick: noon - 5,
      passed: false,
      reason: "timeout",
      text: "Timeout",
      message: "no answer: \u00e9",
      earlierRuns: [[noon - 3, "ny", false]],
      timings: { dns: 1, connect: 2, total: 3 },
    });
    await store.append(full);
    assert.partialDeepStrictEqual(await store.results.last(no), full);
    assert.equal(await store.results.last(no + 1), undefined);
  });

  test("results are ordered by their start over the days, both ends of a range included, each once", async () => {
    await using store = await open();
    const { no, other } = await store.write(async ({ checks }) => ({
      no: (await checks.insert(aCheck("check"))).no,
      other: (await checks.insert(aCheck("other"))).no,
    }));
    const starts = [noon - day, noon, noon + 1, noon + day];
    for (const startedAt of starts) await store.append(aResult(no, startedAt));
    await store.append(aResult(no, noon));
    await store.append(aResult(other, noon + 7));
    await store.runHousekeeping();
    const rows = [
      { from: 0, to: noon + 2 * day, limit: 9, order: "oldest", expected: starts },
      { from: 0, to: noon + 2 * day, limit: 9, order: "newest", expected: starts.toReversed() },
      { from: noon, to: noon + 1, limit: 9, order: "oldest", expected: [noon, noon + 1] },
      { from: noon + 1, to: noon + day - 1, limit: 9, order: "newest", expected: [noon + 1] },
      { from: 0, to: noon + 2 * day, limit: 2, order: "newest", expected: [noon + day, noon + 1] },
      {
        from: 0,
        to: noon + 2 * day,
        limit: 3,
        order: "oldest",
        expected: [noon - day, noon, noon + 1],
      },
      { from: noon + 1, to: noon, limit: 9, order: "oldest", expected: [] },
      { from: 0, to: noon, limit: 0, order: "oldest", expected: [] },
    ] as const;
    for (const { expected, ...query } of rows)
      assert.deepEqual(
        await startsOf(store, { checkNo: no, ...query }),
        expected,
        JSON.stringify(query),
      );
    assert.equal((await store.results.last(no))?.startedAt, noon + day);
  });

  test("many results come page by page, none twice and none lost", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const starts = Array.from({ length: 1500 }, (_, index) => noon + index * minute);
    await Promise.all(starts.map((startedAt) => store.append(aResult(no, startedAt))));
    const query = { checkNo: no, from: 0, to: noon + 9 * day, order: "oldest" } as const;
    assert.deepEqual(await startsOf(store, { ...query, limit: 10_000 }), starts);
    assert.deepEqual(
      await startsOf(store, { ...query, limit: 1200, order: "newest" }),
      starts.toReversed().slice(0, 1200),
    );
  });
}
