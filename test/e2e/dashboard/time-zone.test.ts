import assert from "node:assert/strict";
import { test } from "node:test";

import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("a time zone is found by its city, its region and its offset, by the keyboard alone", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.goto(`${site.base}/settings`);
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await zone.focus();
  for (const [typed, found, missing] of [
    ["berlin", /^Europe\/Berlin /, /^Europe\/Paris /],
    ["south america argentina", undefined, /^America\/Argentina/],
    ["asia", /^Asia\/Tokyo /, /^Europe\//],
    ["+9", /^Asia\/Tokyo /, /^Asia\/Dubai /],
  ] as const) {
    await zone.fill("");
    await page.keyboard.type(typed);
    if (found === undefined) await page.getByText("No time zone matches.").waitFor();
    else await page.getByRole("option", { name: found }).first().waitFor();
    assert.equal(await page.getByRole("option", { name: missing }).count(), 0);
  }
  await zone.fill("");
  await page.keyboard.type("tokyo");
  await page.keyboard.press("Enter");
  assert.equal(await zone.inputValue(), "Asia/Tokyo (GMT+09:00)");
  assert.deepEqual(await faultsInAllLooks(page, "zone-field"), []);
  // What is typed next replaces it.
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("lima");
  await page.keyboard.press("Enter");
  assert.equal(await zone.inputValue(), "America/Lima (GMT-05:00)");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  const account = await site.api("GET sessions/current");
  assert.equal(account.timezonename, "America/Lima");
  assert.deepEqual(dashboard.faults, []);
});

test("a status page has the time zone of the account again once its own is not wanted", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const made = await site.api("POST statuspages", { name: "Shop", timezone: "Asia/Tokyo" });
  await page.goto(`${site.base}/status-pages`);
  await page.getByRole("region", { name: "Shop" }).getByRole("button", { name: "Edit" }).click();
  const zone = page.getByRole("combobox", { name: "Time zone" });
  assert.equal(await zone.inputValue(), "Asia/Tokyo (GMT+09:00)");
  await zone.focus();
  await page.keyboard.type("account");
  await page.keyboard.press("Enter");
  assert.equal(await zone.inputValue(), "The account’s time zone");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  assert.equal((await site.api(`GET statuspages/${made._id}`)).timezone, "");
});
