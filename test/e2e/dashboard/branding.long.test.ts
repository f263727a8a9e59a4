import assert from "node:assert/strict";
import { test } from "node:test";

import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("the texts of mails are changed, what is wrong is said beside its field, and who may only view reads them", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByRole("link", { name: "Branding" }).click();
  const subject = page.getByLabel("Subject of the mail when down");
  await subject.fill("{label} is gone {if");
  await page.getByLabel("Sender").fill("Shop <a@b");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("[class*=InputWrapper-error]").first().waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "branding"), []);
  await page.getByLabel("Sender").fill("Shop");
  await subject.fill("{label} is gone");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  const { from, downsubject } = await site.api("GET branding");
  assert.deepEqual([from, downsubject], ["Shop", "{label} is gone"]);

  await becomeViewer(dashboard);
  await page.getByText("Only owners can change this.").waitFor();
  assert.equal(await subject.inputValue(), "{label} is gone");
  assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  assert.deepEqual(dashboard.faults, []);
});
