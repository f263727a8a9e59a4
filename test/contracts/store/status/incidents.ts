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
      pageIds: ["one"],
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
}
