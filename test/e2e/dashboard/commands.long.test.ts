import assert from "node:assert/strict";
import { after, test } from "node:test";

import { faultsInAllLooks, faultsOf, signInAs } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { page, site } = dashboard;
await site.api("POST checks", { type: "PUSH", label: "Backup\u202Egnp.exe" });
await site.api("POST checks", { type: "PUSH", label: "Shop", tags: ["web"] });

test("Ctrl-K leads to pages and checks, by the keyboard alone", async () => {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search pages, records, and actions" });
  await field.waitFor();
  const options = page.getByRole("dialog").getByRole("option");
  const chosen = page.getByRole("dialog").getByRole("option", { selected: true });
  await page.getByRole("option", { name: "Audit log" }).waitFor();
  assert.equal(await page.getByRole("option", { name: "Shop" }).count(), 0);
  assert.equal(await chosen.innerText(), "Add a check");
  await page.keyboard.press("ArrowUp");
  assert.equal(await chosen.innerText(), "Sign out");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("gro");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Groups" }).waitFor();
  await field.waitFor({ state: "detached" });

  await page.keyboard.press("Control+k");
  await page.keyboard.type("s");
  await page.getByRole("option", { name: /^Shop/ }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "commands"), []);
  await field.fill("wEb shop");
  await page.getByRole("option", { name: /^Shop\s+(?:Paused|Unknown)/ }).waitFor();
  assert.equal(await options.count(), 1);
  const active = await field.getAttribute("aria-activedescendant");
  assert.equal(await options.getAttribute("id"), active);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor();

  await page.getByRole("button", { name: "Search and commands (Ctrl+K)" }).click();
  await page.keyboard.type("backupgnp");
  await page.getByRole("option", { name: /^Backupgnp\.exe/ }).click();
  await page.getByRole("heading", { level: 1, name: "Backupgnp.exe" }).waitFor();

  await page.keyboard.press("Meta+k");
  await page.keyboard.type("there is no such thing");
  await page.getByText("No results.").waitFor();
  assert.equal(await field.getAttribute("aria-expanded"), "false");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  assert.deepEqual(dashboard.faults, []);
});

test("it offers what the role may do, also while something is typed, and signs out", async () => {
  await using context = await signInAs(dashboard, { name: "Vera", custrole: "view" });
  const [viewer = assert.fail()] = context.pages();
  const faults = faultsOf(viewer);
  await viewer.getByRole("searchbox", { name: "Search checks" }).press("Control+k");
  await viewer.getByRole("option", { name: "Contacts" }).waitFor();
  for (const name of ["Add a check", "API tokens", "Audit log"])
    assert.equal(await viewer.getByRole("option", { name }).count(), 0, name);
  await viewer.keyboard.type("sign out");
  await viewer.keyboard.press("Enter");
  await viewer.getByLabel("Password").waitFor();
  assert.deepEqual(faults, []);
});

test("the palette finds records and actions, the best first, and marks what matches", async () => {
  await using other = await openSharedDashboard();
  const { page: own, site: account } = other;
  await account.api("POST contacts", { name: "Ben of the shop", custrole: "notify" });
  await account.api("POST contactgroups", { name: "Workshop", members: [] });
  const { _id: id } = await account.api("POST checks", { type: "PUSH", label: "Shop 7" });
  await account.api("POST checks", {
    type: "PORT",
    target: "127.0.0.7",
    port: 7077,
    label: "Mail",
    enabled: false,
  });
  await own.reload();
  await own.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await own.keyboard.press("Control+k");
  const options = own.getByRole("dialog").getByRole("option");
  await own.keyboard.type("shop");
  await own.getByRole("option", { name: /^Workshop/ }).waitFor();
  const names = await options.locator("bdi").allInnerTexts();
  assert.deepEqual(names, ["Shop 7", "Ben of the shop", "Workshop"]);
  assert.deepEqual(await options.locator("mark").allInnerTexts(), ["Shop", "shop", "shop"]);
  assert.deepEqual(await faultsInAllLooks(own, "commands-records"), []);
  const field = own.getByRole("combobox", { name: "Search pages, records, and actions" });
  await field.fill("7");
  await own.getByRole("option", { name: /^Shop 7/ }).waitFor();
  assert.equal(await options.count(), 1);
  await field.fill("ben shop");
  await own.keyboard.press("Enter");
  await own.getByRole("region", { name: "Ben of the shop" }).waitFor();
  assert.equal(await own.getByRole("region", { name: "Owner" }).count(), 0);

  await own.keyboard.press("Control+k");
  await own.keyboard.type("resume shop");
  await own.getByRole("option", { name: "Resume: Shop 7" }).waitFor();
  await own.keyboard.press("Enter");
  await own.getByText("Saved").first().waitFor();
  const { enable } = await account.api(`GET checks/${id}`);
  assert.equal(enable, "active");
  await own.keyboard.press("Control+k");
  await own.keyboard.type("add a group");
  await own.keyboard.press("Enter");
  await own.getByRole("dialog", { name: "Add a group" }).getByLabel("Name").waitFor();
  await own.keyboard.press("Escape");
  await own.getByRole("dialog").waitFor({ state: "detached" });
  assert.deepEqual(other.faults, []);
});

test("a question mark shows the keys, but not while something is typed", async () => {
  await using other = await openSharedDashboard();
  const { page: own, site: account } = other;
  await account.api("POST checks", { type: "PUSH", label: "Backup" });
  const sheet = own.getByRole("dialog", { name: "Keyboard shortcuts" });
  await own.getByRole("link", { name: "Checks", exact: true }).click();
  const field = own.getByRole("searchbox", { name: "Search checks" });
  await field.press("Shift+?");
  assert.equal(await field.inputValue(), "?");
  assert.equal(await sheet.count(), 0);
  await own.getByRole("main").focus();
  await own.keyboard.press("Shift+?");
  await sheet.getByRole("row", { name: /Ctrl\+K/ }).waitFor();
  assert.deepEqual(await faultsInAllLooks(own, "keys"), []);
  await own.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await own.getByRole("button", { name: "Owner" }).press("Enter");
  await own.getByRole("menuitem", { name: "Keyboard shortcuts" }).press("Enter");
  await sheet.waitFor();
  assert.deepEqual(other.faults, []);
});
