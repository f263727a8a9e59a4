import assert from "node:assert/strict";
import { test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { openSharedDashboard } from "./shared-dashboard.ts";

async function hasFocus(locator: Locator): Promise<void> {
  await locator.and(locator.page().locator(":focus")).waitFor();
}

/** Closes the dialog with Escape once it has the focus. */
async function leave(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await dialog.locator(":focus").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

test("the focus returns to what opened a dialog, or to the content of the page where that is gone", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await site.api("POST contacts", {
    name: "Ben",
    newaddresses: [{ type: "email", address: "ben@example.com" }],
  });
  await page.getByRole("link", { name: "Contacts" }).click();
  const ben = page.getByRole("region", { name: "Ben" });
  const add = page.getByRole("button", { name: "Add a contact" });
  for (const opener of [
    add,
    ben.getByRole("button", { name: "Edit", exact: true }),
    ben.getByRole("button", { name: "Delete", exact: true }),
    page.getByRole("button", { name: "Search and commands" }),
  ]) {
    await opener.press("Enter");
    await leave(page);
    await hasFocus(opener);
  }

  const menu = ben.getByRole("button", { name: /^Actions for/ });
  for (const item of ["Edit", "Delete"]) {
    await menu.press("Enter");
    await page.getByRole("menuitem", { name: item }).press("Enter");
    await leave(page);
    await hasFocus(menu);
  }

  await ben.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await ben.waitFor({ state: "detached" });
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await hasFocus(page.getByRole("main"));
  assert.deepEqual(dashboard.faults, []);
});

test("the keyboard enters the navigation of a telephone only while it is open", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await page.setViewportSize({ width: 390, height: 844 });
  const open = page.getByRole("button", { name: "Open the navigation" });
  await open.focus();
  const isInNavigation = (): Promise<unknown> =>
    page.evaluate("document.activeElement.closest('nav') !== null");
  for (let step = 0; step < 4; step += 1) {
    await page.keyboard.press("Tab");
    assert.equal(await isInNavigation(), false);
  }
  await open.press("Enter");
  const groups = page.getByRole("navigation").getByRole("link", { name: "Groups" });
  await groups.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Groups" }).waitFor();
  await groups.waitFor({ state: "hidden" });
  assert.deepEqual(dashboard.faults, []);
});

test("a dialog that opens in place of another returns the focus to what opened the first", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await page.getByRole("link", { name: "API tokens" }).click();
  const create = page.getByRole("button", { name: "Create a token" });
  await create.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("script");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: /I have/i }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await hasFocus(create);
  assert.deepEqual(dashboard.faults, []);
});
