import assert from "node:assert/strict";
import { test } from "node:test";

import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("maintenances are planned for now, once and again and again, and a calendar program has their link", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await site.api("POST checks", { type: "PUSH", label: "Backup", tags: ["prod"], enabled: true });
  await site.api("POST checks", { type: "PUSH", label: "Mail", enabled: true });
  // Another form that offers the checks.
  await page.getByRole("link", { name: "Add a check" }).click();
  await page.getByRole("button", { name: /^Ping/ }).click();
  await page.getByRole("button", { name: "More settings" }).click();
  await page.getByRole("combobox", { name: "Depends on" }).click();
  await page.getByRole("option", { name: "Backup" }).waitFor();
  await page.getByRole("link", { name: "Maintenance" }).click();
  await page.getByText("No maintenance is planned.").waitFor();
  await page.getByRole("button", { name: "Plan a maintenance" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Move");
  await page.mouse.click(5, 5);
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Move");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("when is it to start?").waitFor();
  await page.getByLabel("Start, in your own time").fill("2099-01-05T22:30");
  await page.getByLabel("Search: Checks that rest").fill("prod");
  await page.getByRole("checkbox", { name: "Mail" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Choose the one found" }).click();
  assert.deepEqual(await faultsInAllLooks(page, "maintenance-once"), []);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("region", { name: "Move" }).getByText("1 check").waitFor();

  await page.getByRole("button", { name: "Plan a maintenance" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Nightly");
  await page.getByRole("radio", { name: "Again and again" }).check();
  await page.getByLabel("How often").selectOption("daily");
  await page.getByLabel(/^At, in the account/).fill("03:15");
  assert.deepEqual(await faultsInAllLooks(page, "maintenance-repeated"), []);
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("region", { name: "Nightly" })
    .getByText("Every day at 03:15 (+00:00)")
    .waitFor();

  await page.getByRole("button", { name: "Plan a maintenance" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Urgent");
  await page.getByRole("radio", { name: "Now" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  const urgent = page.getByRole("region", { name: "Urgent" });
  await urgent.getByText("Under way until").waitFor();

  await page.getByRole("button", { name: "Make a link" }).click();
  const { pathname, search } = new URL(await page.getByLabel("Link of the calendar").inputValue());
  const link = `${site.base}${pathname}${search}`;
  const calendar = await (await fetch(link)).text();
  assert.match(calendar, /SUMMARY:Nightly\r\n/);
  await page.getByRole("button", { name: "Make another link" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make another link" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal((await fetch(link)).status, 404);
  assert.deepEqual(await faultsInAllLooks(page, "maintenance"), []);

  await page.route("**/api/1/maintenance/*", (route) =>
    route.fulfill({ status: 503, json: { error: "not now" } }),
  );
  await page
    .getByRole("region", { name: "Nightly" })
    .getByRole("button", { name: "Disable" })
    .click();
  await page.getByText("not now").waitFor();
  await page.unroute("**/api/1/maintenance/*");
  await page.context().setOffline(true);
  await page
    .getByRole("region", { name: "Nightly" })
    .getByRole("button", { name: "Disable" })
    .click();
  await page.getByText("Watchpost cannot be reached.").waitFor();
  await page.context().setOffline(false);

  await urgent.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByText("It is under way, and ends with that.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await urgent.waitFor({ state: "detached" });

  await becomeViewer(dashboard);
  await page.getByRole("region", { name: "Nightly" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Plan|Edit|Delete|link/ }).count(), 0);
  assert.deepEqual(dashboard.faults, []);
});
