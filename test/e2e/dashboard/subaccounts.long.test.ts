import assert from "node:assert/strict";
import { test } from "node:test";

import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("a subaccount is made, opened, suspended and deleted by its name", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByRole("link", { name: "Subaccounts" }).click();
  await page.getByText("There are no subaccounts yet.").waitFor();
  await page.getByRole("button", { name: "Add a subaccount" }).first().click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Shop Ltd");
  await page.getByRole("textbox", { name: "Name of its first contact" }).fill("Cat");
  await page.getByLabel("Email address of the contact").fill("nobody");
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("dialog")
    .getByText(/mailbox/)
    .waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "subaccounts-add"), []);
  await page.getByLabel("Email address of the contact").fill("cat@example.com");
  await page.getByRole("button", { name: "Save" }).click();
  const shop = page.getByRole("region", { name: "Shop Ltd" });
  await shop.getByText("No active checks").waitFor();

  await shop.getByRole("button", { name: "Open" }).click();
  await page.getByText("Working on Shop Ltd").waitFor();
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("region", { name: "Cat" }).waitFor();
  await page.getByRole("link", { name: "Subaccounts" }).click();
  await page.getByText("Subaccounts belong to the primary account.").waitFor();
  await page.getByRole("button", { name: "Back to your account" }).first().click();

  await page.getByRole("link", { name: "Subaccounts" }).click();
  await shop.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  await shop.getByText("Suspended: it runs no checks").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "subaccounts"), []);
  await shop.getByRole("button", { name: "Activate" }).click();
  await shop.getByText("Suspended").waitFor({ state: "detached" });

  await site.api("POST accounts", {
    name: "Team",
    contactname: "Tim",
    email: "tim@example.com",
    timezone: "0",
    location: "wlw",
  });
  await shop.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("This is another name.").waitFor();
  await dialog.getByLabel(/To delete it/).fill("Shop Ltd");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await shop.waitFor({ state: "detached" });

  await becomeViewer(dashboard);
  await page.getByRole("region", { name: "Team" }).getByRole("button", { name: "Open" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Add|Suspend|Delete/ }).count(), 0);
  assert.deepEqual(dashboard.faults, []);
});
