import assert from "node:assert/strict";
import { test } from "node:test";

import type { Incident } from "../../../../src/domain/status/incident.ts";
import { alice, anIncident, carol, minute, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

const resolved = [{ at: noon, stage: "resolved", text: "" }] as const;

export function incidentContract(open: OpenStore): void {
  test("incidents come back as they were given, to their account alone", async () => {
    await using store = await open();
    const whole = anIncident("whole", {
      kind: "maintenance",
      isPublished: false,
      isAutomatic: true,
      outagePageId: "one",
      pageIds: ["one"],
      checkIds: ["router", "web"],
      endsAt: noon + minute,
      updates: [{ at: noon, stage: "scheduled", text: "**soon**" }],
    });
    await store.write(({ incidents }) => incidents.insert(whole));
    assert.deepEqual(await store.incidents.find(alice.id, "whole"), whole);
    assert.equal(await store.incidents.find(carol.id, "whole"), undefined);
    const bare = anIncident("whole", { updates: resolved });
    await store.write(({ incidents }) => incidents.update(bare));
    assert.deepEqual(await store.incidents.find(alice.id, "whole"), bare);
    assert.equal(await store.write(({ incidents }) => incidents.remove(carol.id, "whole")), false);
    assert.equal(await store.write(({ incidents }) => incidents.remove(alice.id, "whole")), true);
    assert.equal(await store.incidents.find(alice.id, "whole"), undefined);
  });

  test("those that are not over come first into a list, however old, and then the newest", async () => {
    await using store = await open();
    const all: readonly Incident[] = [
      anIncident("old open", { startsAt: noon - 100 * minute }),
      anIncident("old", { startsAt: noon - 90 * minute, updates: resolved }),
      anIncident("newer", { startsAt: noon - 2 * minute, updates: resolved }),
      anIncident("newest", { startsAt: noon - minute, updates: resolved }),
      anIncident("carols", { accountId: carol.id }),
    ];
    await store.write(async ({ incidents }) => {
      for (const each of all) await incidents.insert(each);
    });
    const listed = async (range: { readonly from: number; readonly limit: number }) =>
      (await store.incidents.list(alice.id, range)).map(({ id }) => id);
    assert.deepEqual(await listed({ from: noon - 10 * minute, limit: 9 }), [
      "newest",
      "newer",
      "old open",
    ]);
    assert.deepEqual(await listed({ from: 0, limit: 2 }), ["newest", "old open"]);
  });

  test("a draft is in the list of its account, and not in what others see", async () => {
    await using store = await open();
    const draft = anIncident("draft", { isPublished: false });
    await store.write(async ({ incidents }) => {
      await incidents.insert(draft);
      await incidents.insert(anIncident("posted"));
    });
    const range = { from: 0, limit: 9 };
    const idsOf = (all: readonly Incident[]) => all.map(({ id }) => id).toSorted();
    assert.deepEqual(idsOf(await store.incidents.list(alice.id, range)), ["draft", "posted"]);
    assert.deepEqual(idsOf(await store.incidents.listPublished(alice.id, range)), ["posted"]);
    await store.write(({ incidents }) => incidents.update({ ...draft, isPublished: true }));
    assert.equal((await store.incidents.listPublished(alice.id, range)).length, 2);
  });

  test("a stage that is due by itself is claimed, and what has none is not", async () => {
    await using store = await open();
    const planned: Partial<Incident> = {
      kind: "maintenance",
      isAutomatic: true,
      startsAt: 1,
      updates: [{ at: noon, stage: "scheduled", text: "" }],
    };
    const all: readonly Incident[] = [
      anIncident("due", planned),
      anIncident("later", { ...planned, startsAt: Number.MAX_SAFE_INTEGER }),
      anIncident("by hand", { ...planned, isAutomatic: false }),
      anIncident("draft", { ...planned, isPublished: false }),
      anIncident("trouble", { isAutomatic: true, outagePageId: "page" }),
    ];
    await store.write(async ({ incidents }) => {
      for (const each of all) await incidents.insert(each);
    });
    assert.deepEqual(await store.incidents.listDue(), [{ accountId: alice.id, id: "due" }]);
    const claimed = await store.write(async ({ incidents }) => {
      const found = [];
      for (const { accountId, id } of all)
        found.push((await incidents.claim({ accountId, id }))?.incident.id);
      return found;
    });
    assert.deepEqual(claimed, ["due", undefined, undefined, undefined, undefined]);
  });

  test("of the incidents that outages opened on a page the newest is found, and old ones that are over are dropped", async () => {
    await using store = await open();
    const found = await store.write(async ({ incidents }) => {
      for (const [id, isOver] of [
        ["first", true],
        ["second", true],
        ["still open", false],
        ["third", true],
      ] as const)
        await incidents.insert(
          anIncident(id, { outagePageId: "page", ...(isOver && { updates: resolved }) }),
        );
      await incidents.insert(anIncident("by people"));
      await incidents.dropOldOfOutages("page", 1);
      return (await incidents.lockLatestOfOutages("page"))?.id;
    });
    assert.equal(found, "third");
    const left = await store.incidents.list(alice.id, { from: 0, limit: 9 });
    assert.deepEqual(left.map(({ id }) => id).toSorted(), ["by people", "still open", "third"]);
    assert.equal(
      await store.write(({ incidents }) => incidents.lockLatestOfOutages("other")),
      undefined,
    );
  });
}
