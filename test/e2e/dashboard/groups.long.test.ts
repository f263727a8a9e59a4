import assert from "node:assert/strict";
import { test } from "node:test";

import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("a group is made of contacts that are searched, named by a profile with delays, and both are deleted", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  for (const name of ["Ann", "Ben"]) await site.api("POST contacts", { name, custrole: "notify" });
  await page.getByRole("link", { name: "Groups" }).click();
  await page.getByText("There are no groups yet.").waitFor();
  await page.getByRole("button", { name: "Add a group" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("On call");
  await page.getByLabel("Search: Members").fill("ben");
  await page.getByRole("checkbox", { name: "Ann", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: "Ben" }).check();
  assert.deepEqual(await faultsInAllLooks(page, "groups-add"), []);
  await page.getByRole("button", { name: "Save" }).click();
  const group = page.getByRole("region", { name: "On call" });
  await group.getByText("Ben").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "groups"), []);

  await page.getByRole("link", { name: "Profiles" }).click();
  await page.getByRole("button", { name: "Add a profile" }).first().click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Choose a recipient, or remove the step.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Nights");
  await page.getByLabel("Who").selectOption({ label: "On call" });
  await page.getByLabel("In which hours").selectOption("Nights");
  await page.getByLabel("After how many minutes").fill("never");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("delay must be minutes from 0 to 43200", { exact: true }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "profiles-add"), []);
  await page.getByLabel("After how many minutes").fill("15");
  await page.getByLabel("Remind every so many minutes").fill("30");
  await page.getByRole("button", { name: "Save" }).click();
  const profile = page.getByRole("region", { name: "Nights" });
  await profile
    .getByText("On call after 15 minutes, in the hours of Nights, reminded every 30 minutes")
    .waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "profiles"), []);

  await page.getByRole("link", { name: "Groups" }).click();
  await group.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 profile: Nights").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await group.waitFor({ state: "detached" });

  await becomeViewer(dashboard);
  await page.getByText("There are no groups yet.").waitFor();
  assert.equal(await page.getByRole("button", { name: /Add/ }).count(), 0);
  assert.deepEqual(dashboard.faults, []);
});
