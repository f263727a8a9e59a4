import assert from "node:assert/strict";
import { test } from "node:test";

import { EMAIL, openDashboard, PASSWORD } from "../dashboard/dashboard.ts";
import { signInLinkOf } from "../process.ts";

test("the link of the first start leads an owner to the dashboard, and a password there again", async () => {
  await using dashboard = await openDashboard();
  const { page, site } = dashboard;
  await site.api("POST checks", { type: "PUSH", label: "Backup" });
  await page.reload();
  await page.getByText("Backup").waitFor();

  await page.getByRole("button", { name: "Owner" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Password").waitFor();
  await page.goto(`${site.base}/?from=mail#x`);
  await page.waitForURL(/\/signin\?next=/);
  assert.equal(await page.getByText("Backup").count(), 0);

  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Backup").waitFor();
  await page.waitForURL(`${site.base}/?from=mail#x`);

  await page.goto(signInLinkOf(site));
  await page
    .getByRole("alert")
    .getByText(/used, or has expired/)
    .waitFor();
  assert.deepEqual(dashboard.faults, []);
});
