import assert from "node:assert/strict";
import { test } from "node:test";

import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("a contact is added with an address, tested, changed and deleted, and who may only view sees it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("button", { name: "Add a contact" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ben");
  await page.getByLabel("Kind").selectOption("webhook");
  await page.getByLabel("URL", { exact: true }).fill("no address");
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText(/must be|http/i)
    .first()
    .waitFor();
  assert.equal(await page.getByLabel("URL", { exact: true }).inputValue(), "no address");
  assert.deepEqual(await faultsInAllLooks(page, "contacts-add"), []);
  await page.getByLabel("URL", { exact: true }).fill("https://example.invalid/hook");
  await page.getByRole("button", { name: "Save" }).click();
  const ben = page.getByRole("region", { name: "Ben" });
  await ben.getByText("Alerts go there").waitFor();

  await ben.getByRole("button", { name: "Send a test message" }).click();
  await dialog.getByText(/Webhook https:\/\/example\.invalid\/hook did not/).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();

  await ben.getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("No alerts of recoveries").check();
  await page.getByRole("button", { name: "Save" }).click();
  await ben.getByText("Some alerts go there").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "contacts"), []);

  const contacts = await site.api("GET contacts");
  const id = Object.keys(contacts).find((each) => contacts[each].name === "Ben") ?? "";
  await site.api("POST contactgroups", { name: "On call", members: [id] });
  await ben.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("1 group: On call").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await ben.waitFor({ state: "detached" });

  await becomeViewer(dashboard);
  await page.getByRole("region", { name: "Owner" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Add|Edit|Delete|Actions/ }).count(), 0);
  assert.deepEqual(dashboard.faults, []);
});
