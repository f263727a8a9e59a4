import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { aCheck, alice, anAlert, noon } from "../../../test/records.ts";
import { tempStore } from "../../../test/temp-store.ts";

test("a notice that was stored before checks had descriptions has an empty one", async () => {
  await using store = await tempStore();
  const alert = await store.write(async ({ accounts, checks, alerts }) => {
    await accounts.insert(alice);
    const made = anAlert("alert", await checks.insert(aCheck("check")));
    await alerts.insert(made);
    return made;
  });
  using database = new DatabaseSync(join(store.directory, "watchpost.db"));
  database.exec("UPDATE alerts SET notice = json_remove(notice, '$.check.description')");
  const [read] = await store.alerts.due(noon, 1);
  assert.deepEqual(read?.notice.check, alert.notice.check);
});
