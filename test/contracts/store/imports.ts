import assert from "node:assert/strict";
import { test } from "node:test";

import { DAY_MS, dayOf } from "../../../src/domain/availability.ts";
import type { ImportedSpan } from "../../../src/domain/imported-history.ts";
import type { StoredAlias } from "../../../src/store/tables/heartbeat-aliases.ts";
import { aCheck, alice, carol, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

export function importContract(open: OpenStore): void {
  test("an address of another system leads to one check of each account, and is removed for that account alone", async () => {
    await using store = await open();
    const [check, same, other] = await store.write(async ({ checks }) => [
      await checks.insert(aCheck("check")),
      await checks.insert(aCheck("same")),
      await checks.insert(aCheck("other", { accountId: carol.id })),
    ]);
    const alias = {
      digest: "a",
      accountId: alice.id,
      checkNo: check?.no ?? assert.fail(),
      system: "healthchecks",
      hint: "31…",
      createdAt: noon,
    } as const;
    const hers = { ...alias, accountId: carol.id, checkNo: other?.no ?? assert.fail() };
    const older = { ...alias, digest: "b", createdAt: noon - 1 };
    const insert = (inserted: StoredAlias): Promise<boolean> =>
      store.write(({ heartbeatAliases }) => heartbeatAliases.insert(inserted));
    assert.equal(await insert(alias), true);
    assert.equal(await insert({ ...alias, checkNo: same?.no ?? assert.fail() }), false);
    assert.equal(await insert(hers), true);
    assert.equal(await insert(older), true);
    const { heartbeatAliases } = store;
    const all = [
      { ...hers, checkId: "other" },
      { ...alias, checkId: "check" },
    ];
    assert.deepEqual(await heartbeatAliases.listHolders("a", 5), all);
    assert.deepEqual(await heartbeatAliases.listHolders("a", 1), all.slice(0, 1));
    assert.deepEqual(await heartbeatAliases.listHolders("c", 5), []);
    assert.deepEqual(await heartbeatAliases.listOf(alias.checkNo), [older, alias]);
    assert.deepEqual(
      (await heartbeatAliases.list(alice.id)).map(({ digest }) => digest),
      ["b", "a"],
    );
    await store.write((tx) => tx.heartbeatAliases.remove(alias));
    assert.deepEqual(await heartbeatAliases.listOf(alias.checkNo), [older]);
    assert.deepEqual(await heartbeatAliases.list(carol.id), all.slice(0, 1));
    await store.write(({ checks }) => checks.remove(carol.id, "other", noon));
    assert.deepEqual(await heartbeatAliases.listHolders("a", 5), []);
  });

  test("those that got an address of another system last are the ones it leads to", async () => {
    await using store = await open();
    for (const [at, accountId] of [alice.id, carol.id].entries())
      await store.write(async ({ checks, heartbeatAliases }) => {
        const { no } = await checks.insert(aCheck(`${accountId}-check`, { accountId }));
        const createdAt = noon - at;
        const alias = { digest: "a", accountId, checkNo: no, system: "gatus", hint: "" } as const;
        await heartbeatAliases.insert({ ...alias, createdAt });
      });
    const [last] = await store.heartbeatAliases.listHolders("a", 1);
    assert.equal(last?.accountId, alice.id);
  });

  test("which record of another system a record was is noted by account and system, the last of each", async () => {
    await using store = await open();
    const record = {
      accountId: alice.id,
      origin: "uptime-kuma",
      kind: "check",
      originId: "12",
      recordId: "first",
    } as const;
    await store.write(async ({ importedRecords }) => {
      await importedRecords.put(record);
      await importedRecords.put({ ...record, recordId: "second", fields: { label: ["a", "b"] } });
      await importedRecords.put({ ...record, kind: "contact" });
      await importedRecords.put({ ...record, accountId: carol.id });
      await importedRecords.put({ ...record, origin: "gatus" });
    });
    assert.deepEqual(await store.importedRecords.list(alice.id, "uptime-kuma"), [
      { ...record, recordId: "second", fields: { label: ["a", "b"] } },
      { ...record, kind: "contact" },
    ]);
    assert.equal(await store.importedRecords.count(alice.id), 3);
    assert.deepEqual(await store.importedRecords.list(carol.id, "healthchecks"), []);
  });

  test("a history that was taken over counts for days before the check's own, is added to at its end, and goes with the check", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const history = {
      checkNo: no,
      accountId: alice.id,
      origin: "uptime-kuma",
      start: noon - 3 * DAY_MS,
      end: noon - DAY_MS,
      createdAt: noon,
    };
    const { importedHistories } = store;
    assert.equal(await importedHistories.find(no), undefined);
    assert.equal(await importedHistories.ownStart(no), noon);
    const known = aSpan("enabled", [history.start, history.end]);
    const outage = aSpan("down", [history.end - 60_000, history.end], "503");
    await store.write((tx) => tx.importedHistories.add(history, [known, outage]));
    assert.deepEqual(await importedHistories.find(no), { ...history, spans: 2 });
    const more = [
      aSpan("down", [history.end, history.end + 60_000], "503"),
      aSpan("enabled", [history.end, noon - 7_200_000]),
      aSpan("maintenance", [noon - 7_200_000, noon - 3_600_000]),
    ];
    const longer = { ...history, end: noon - 3_600_000 };
    await store.write((tx) => tx.importedHistories.add(longer, more));
    assert.deepEqual(await importedHistories.list(alice.id), [
      { ...longer, spans: 3, checkId: "check" },
    ]);
    assert.equal(await importedHistories.countSpans(alice.id), 3);
    assert.deepEqual(await importedHistories.list(carol.id), []);
    assert.deepEqual(await importedHistories.listSpans(no, [outage.start, noon]), [
      { ...known, end: noon - 7_200_000 },
      { ...outage, end: history.end + 60_000 },
      aSpan("maintenance", [noon - 7_200_000, noon - 3_600_000]),
    ]);
    const own = await store.states.listEnabledSpans(no, 0, noon + 1);
    assert.deepEqual(own, [{ start: noon, end: undefined }]);
    const days = await store.states.listDayTimes([no], 0, noon + 60_000);
    const today = dayOf(noon);
    assert.deepEqual(days.get(no)?.get(today), {
      enabledMs: 12 * 3_600_000 - 7_200_000 + 60_000,
      measuredMs: 12 * 3_600_000 - 7_200_000,
      downMs: 0,
      maintenanceMs: 3_600_000,
    });
    assert.equal(days.get(no)?.get(today - DAY_MS)?.downMs, 120_000);
    await store.write(({ checks }) => checks.remove(alice.id, "check", noon));
    assert.deepEqual(await importedHistories.list(alice.id), []);
  });

  test("a history that was taken over can be given up", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const range = { start: noon - 60_000, end: noon };
    const history = { checkNo: no, accountId: alice.id, origin: "a", ...range, createdAt: noon };
    const many = Array.from({ length: 1200 }, (_, at) =>
      aSpan("enabled", [noon - 60_000 + at * 10, noon - 60_000 + at * 10 + 5]),
    );
    await store.write((tx) => tx.importedHistories.add(history, many));
    assert.equal(await store.importedHistories.countSpans(alice.id), many.length);
    await store.write((tx) => tx.importedHistories.remove(no));
    assert.equal(await store.importedHistories.find(no), undefined);
    assert.deepEqual(await store.importedHistories.listSpans(no, [0, noon]), []);
  });
}

function aSpan(
  kind: ImportedSpan["kind"],
  [start, end]: readonly [number, number],
  message = "",
): ImportedSpan {
  return { kind, start, end, message };
}
