import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { outageScene, type Scene } from "../../../test/contracts/store/outage-scene.ts";
import { withCast } from "../../../test/contracts/store/store.ts";
import { alice, minute, noon } from "../../../test/record-builders.ts";
import { tempStore, type TempStore } from "../../../test/stores/temp-store.ts";
import type { Check } from "../../domain/check.ts";
import { kyselyOver } from "../sqlite/dialect.ts";
import { createSqliteEngine } from "../sqlite/engine.ts";
import { openDatabase } from "../sqlite/open-database.ts";
import type { Notification } from "../tables/alerts.ts";
import { settleRestoredBackup, type SettledRestore } from "./settle-restored.ts";

/** A check that has just gone down, and what a restore some minutes later makes of it. */
async function restoredScene(notifications: Check["notifications"]) {
  const opened: TempStore[] = [];
  const open = withCast(async (options) => {
    const store = await tempStore(options);
    opened.push(store);
    return store;
  });
  const scene = await outageScene(open, notifications);
  await scene.flip(undefined, "passing", noon - minute);
  await scene.send(noon - minute);
  await scene.flip("passing", "failing", noon);
  const settle = async (at: number): Promise<SettledRestore> => {
    const [store] = opened;
    assert.ok(store);
    const database = openDatabase(join(store.directory, "watchpost.db"));
    const settled = await settleRestoredBackup(
      kyselyOver(database),
      createSqliteEngine({ now: () => at }),
    );
    database.close();
    return settled;
  };
  return { scene, settle };
}

async function recorded({ store }: Scene): Promise<readonly Notification[]> {
  const all = { accountIds: [alice.id], checkId: undefined, from: 0, limit: 999, dropped: true };
  return (await store.alerts.listNotifications(all)).toReversed();
}

test("what was due in a backup is not sent, says so, and the recovery is sent to those it was for", async () => {
  const { scene, settle } = await restoredScene([{ ann: { schedule: "All", delay: 0 } }]);
  await using _ = scene.store;
  assert.deepEqual(await settle(noon + 600 * minute), { alerts: 1, mails: 0 });
  assert.equal(await scene.send(noon + 601 * minute), "");
  const down = (await recorded(scene)).find(({ kind }) => kind === "down");
  assert.equal(down?.status, "failed");
  assert.match(down?.response ?? "", /^not sent: it was due before this backup was restored$/);
  await scene.flip("failing", "passing", noon + 602 * minute);
  assert.equal(await scene.send(noon + 602 * minute), "up");
});

test("reminders go on with the next that is due, and a delay that is not over is waited for", async () => {
  const { scene, settle } = await restoredScene([
    { ann: { schedule: "All", delay: 0, repeat: 10 } },
    { ben: { schedule: "All", delay: 60 } },
  ]);
  await using _ = scene.store;
  assert.equal((await settle(noon + 35 * minute)).alerts, 1);
  const sent: string[] = [];
  for (let after = 36; after <= 60; after += 1) {
    const kinds = await scene.send(noon + after * minute);
    if (kinds !== "") sent.push(`${after} ${kinds}`);
  }
  assert.deepEqual(sent, ["40 reminder", "50 reminder", "60 down ben,reminder"]);
});

test("what was under way when the backup was made is not judged by it", async () => {
  const { scene, settle } = await restoredScene([]);
  await using _ = scene.store;
  await scene.unit(async (tx, check) => {
    await tx.startedRuns.begin({ checkNo: check.no, runId: "", startedAt: noon, dueAt: noon + 1 });
    await tx.diagnostics.insert({
      id: "diagnosis",
      accountId: alice.id,
      checkNo: check.no,
      checkId: check.id,
      outage: "outage",
      location: "ld",
      createdAt: noon,
    });
  });
  await settle(noon + minute);
  assert.equal(await scene.store.count("started_runs"), 0);
  assert.equal(await scene.store.count("diagnostics"), 0);
});
