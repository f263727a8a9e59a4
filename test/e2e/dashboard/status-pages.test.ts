import assert from "node:assert/strict";
import { test } from "node:test";

import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("a status page is made, opened, changed and deleted in the dashboard", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  for (const label of ["Home page", "Checkout"])
    await site.api("POST checks", { type: "PUSH", label, enabled: "active" });
  await page.goto(`${site.base}/status-pages`);
  await page.getByRole("button", { name: "Add a status page" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.getByLabel("Last part of its address").fill("Not right!");
  await page.getByLabel("Name of section 1").fill("Web");
  await page.getByLabel("Home page").check();
  assert.deepEqual(await faultsInAllLooks(page, "status-pages-form"), []);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("must be 1 to 63 lower-case letters").waitFor();
  await page.getByLabel("Last part of its address").fill("shop");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 section, 1 check").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "status-pages"), []);
  const shown = await fetch(`${site.base}/status/shop`);
  assert.match(await shown.text(), /Home page/);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Checkout").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 section, 2 checks").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("There are no status pages yet.").waitFor();
  assert.deepEqual(dashboard.faults, []);
});
