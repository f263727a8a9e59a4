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
  const field = page.getByRole("combobox", { name: "Search pages, checks and actions" });
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
  await page.getByText("Nothing is called so.").waitFor();
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
