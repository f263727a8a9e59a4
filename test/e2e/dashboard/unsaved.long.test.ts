import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { Dialog } from "playwright-core";

import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { page, site } = dashboard;

const question = page.getByRole("dialog", { name: "Discard what you changed?" });
const keepEditing = question.getByRole("button", { name: "Keep editing" });
const discard = question.getByRole("button", { name: "Discard", exact: true });
const form = page.getByRole("dialog").filter({ has: page.locator("form") });
const name = form.getByRole("textbox", { name: "Name", exact: true });
const restored = page.getByText("Your unsaved changes from earlier are back.");
const drafts = (): Promise<unknown> =>
  page.evaluate(
    "Object.entries(sessionStorage).filter(([key]) => key.startsWith('watchpost-draft/')).join()",
  );

async function addGroup(): Promise<void> {
  await page.goto(`${site.base}/groups`);
  await page.getByRole("button", { name: "Add a group" }).first().press("Enter");
  await name.waitFor();
}

test("Escape asks before it closes a form that was changed, by the keyboard alone", async () => {
  await addGroup();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });

  const add = page.getByRole("button", { name: "Add a group" }).first();
  await add.press("Enter");
  await name.fill("Night shift");
  await page.keyboard.press("Escape");
  await keepEditing.and(page.locator(":focus")).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "unsaved"), []);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await name.and(page.locator(":focus")).waitFor();
  assert.equal(await name.inputValue(), "Night shift");

  await form.getByRole("button", { name: "Cancel" }).click();
  await keepEditing.click();
  await question.waitFor({ state: "detached" });
  await name.fill("");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });

  await add.press("Enter");
  await name.fill("Night shift");
  await page.keyboard.press("Escape");
  await discard.press("Enter");
  await form.waitFor({ state: "detached" });
  await add.and(page.locator(":focus")).waitFor();
  assert.equal(await drafts(), "");
  assert.deepEqual(dashboard.faults, []);
});

test("a reload asks, and what was entered is there when the form opens again", async () => {
  await addGroup();
  await name.fill("Night shift");
  const asked = Promise.withResolvers<Dialog>();
  page.once("dialog", asked.resolve);
  const reloading = page.reload();
  const dialog = await asked.promise;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
  await reloading;
  await page.getByRole("button", { name: "Add a group" }).first().click();
  await restored.waitFor();
  assert.equal(await name.inputValue(), "Night shift");
  assert.deepEqual(await faultsInAllLooks(page, "unsaved-restored"), []);
  await form.getByRole("button", { name: "Discard changes" }).press("Enter");
  await restored.waitFor({ state: "detached" });
  assert.equal(await name.inputValue(), "");
  await name.and(page.locator(":focus")).waitFor();
  assert.equal(await drafts(), "");

  await name.fill("Day shift");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Day shift" }).waitFor();
  assert.equal(await drafts(), "");
  await page.reload();
  await page
    .getByRole("region", { name: "Day shift" })
    .getByRole("button", { name: "Edit" })
    .click();
  assert.equal(await name.inputValue(), "Day shift");
  assert.equal(await restored.count(), 0);
});

test("secrets are not kept", async () => {
  await page.goto(`${site.base}/status-pages`);
  await page.getByRole("button", { name: "Add a status page" }).first().click();
  await name.fill("Shop");
  await form.getByRole("combobox", { name: "Who sees it" }).selectOption("password");
  await form.getByRole("textbox", { name: /Password/ }).fill("very secret words");
  await page.reload();
  assert.doesNotMatch(String(await drafts()), /very secret/);
  await page.getByRole("button", { name: "Add a status page" }).first().click();
  await page.getByText("Passwords, tokens, and other secrets were not kept.").waitFor();
  assert.equal(await name.inputValue(), "Shop");
  await form.getByRole("button", { name: "Discard changes" }).click();

  await page.goto(`${site.base}/checks/new?type=HTTP`);
  await page
    .getByRole("textbox", { name: /^(?:Target|URL|Address)/ })
    .fill("https://example.com/?key=very-secret");
  await page.getByRole("textbox", { name: "Name" }).first().fill("Kept");
  await page.reload();
  await restored.waitFor();
  assert.match(String(await drafts()), /Kept/);
  assert.doesNotMatch(String(await drafts()), /very-secret/);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await restored.waitFor({ state: "detached" });
  assert.equal(await drafts(), "");
});

test("links and the steps of the browser ask before they leave a form on a page of its own", async () => {
  const { _id: id } = await site.api("POST checks", { type: "PUSH", label: "Backup" });
  await page.goto(`${site.base}/checks`);
  await page.getByRole("grid", { name: "Checks of the account" }).waitFor();
  await page.goto(`${site.base}/checks/${id}`);
  await page.getByRole("link", { name: "Edit" }).click();
  const label = page.getByRole("textbox", { name: "Name" }).first();
  await label.fill("Backup of the shop");
  await page.getByRole("link", { name: "Contacts" }).click();
  await keepEditing.click();
  assert.match(page.url(), /\/edit$/);
  await page.goBack();
  await keepEditing.click();
  await question.waitFor({ state: "detached" });
  assert.match(page.url(), /\/edit$/);
  assert.equal(await label.inputValue(), "Backup of the shop");
  await page.goBack();
  await discard.click();
  await page.waitForURL(`${site.base}/checks/${id}`);
  await page.getByRole("heading", { level: 1, name: "Backup" }).waitFor();

  await page.getByRole("link", { name: "Edit" }).click();
  assert.equal(await label.inputValue(), "Backup");
  await label.fill("Backup 2");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").first().waitFor();
  await page.getByRole("link", { name: "Settings" }).click();
  const zone = page.getByRole("textbox", { name: "Name of the account" });
  await zone.waitFor();
  const known = await zone.inputValue();
  await zone.fill("Other");
  await page.getByRole("link", { name: "Branding" }).click();
  await keepEditing.click();
  await zone.fill(known);
  await page.getByRole("link", { name: "Branding" }).click();
  await page.getByRole("heading", { level: 1, name: "Branding" }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});

test("signing out asks, and forgets all drafts", async () => {
  await page.goto(`${site.base}/settings`);
  await page.getByRole("textbox", { name: "Name of the account" }).fill("Other");
  await page.getByRole("button", { name: "Owner" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await discard.click();
  await page.getByLabel("Password").waitFor();
  assert.equal(await drafts(), "");
  assert.deepEqual(dashboard.faults, []);
});
