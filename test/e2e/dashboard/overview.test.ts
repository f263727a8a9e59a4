import assert from "node:assert/strict";
import { test } from "node:test";

import { faultsInAllLooks, openDashboard } from "./dashboard.ts";

test("the overview says that nothing is down, and can be read by everybody", async () => {
  await using dashboard = await openDashboard();
  const { page, site } = dashboard;
  await page.getByText("There are no checks yet.").waitFor();
  await site.api("POST checks", { type: "PUSH", label: "Backup\u202Egnp.exe", enabled: "active" });
  await page.reload();
  await page.getByRole("cell", { name: "Backupgnp.exe" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview"), []);
  await page.getByRole("button", { name: /owner|Your account/i }).click();
  await page.getByRole("menuitem", { name: "Deutsch" }).click();
  await page.getByRole("heading", { name: "Übersicht" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview-de"), []);
  assert.deepEqual(dashboard.faults, []);
});
