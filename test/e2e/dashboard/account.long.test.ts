import assert from "node:assert/strict";
import { test } from "node:test";

import { openContext } from "../../servers/chromium.ts";
import { faultsInAllLooks, PASSWORD } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("a person sees where they are signed in, and signs the other browser out", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site, browser } = dashboard;
  await using other = await openContext(browser, {
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
  });
  const second = await other.newPage();
  await second.goto(`${site.base}/signin`);
  await second.getByLabel("Email").fill(dashboard.email);
  await second.getByLabel("Password").fill(PASSWORD);
  await second.getByRole("button", { name: "Sign in" }).click();
  await second.getByRole("navigation", { name: "Main navigation" }).waitFor();

  await page.getByRole("button", { name: /owner|Your account/i }).click();
  await page.getByRole("menuitem", { name: "Your profile" }).click();
  await page.getByRole("heading", { name: "Your profile" }).waitFor();
  await page.getByText("Firefox on Linux").waitFor();
  await page.getByText("This browser").waitFor();
  await page.getByText("Off: whoever has your password gets in.").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "account"), []);
  await page.getByRole("button", { name: /^Sign out Firefox on Linux/ }).click();
  await page.getByText("Firefox on Linux").waitFor({ state: "detached" });
  await second.reload();
  await second.getByLabel("Password").waitFor();

  await page.getByRole("link", { name: "Change the password" }).click();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill(`${PASSWORD} 2`);
  assert.deepEqual(await faultsInAllLooks(page, "change-password"), []);
  await page.getByRole("button", { name: "Change it" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});

test("an owner sets the time zone of the account, and who is notified where nobody is named, or nobody at all", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const { _id: bea, customer_id: id } = await site.api("POST contacts", {
    name: "Bea",
    custrole: "notify",
  });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Time zone" }).fill("berlin");
  await page.getByRole("option", { name: /^Europe\/Berlin / }).click();
  await page.getByRole("checkbox", { name: "Bea", exact: true }).check();
  await page.getByRole("switch", { name: "Suppress all alerts" }).press("Space");
  assert.deepEqual(await faultsInAllLooks(page, "settings"), []);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  const account = await site.api(`GET accounts/${id}`);
  assert.deepEqual([account.timezonename, account.accountsuppressall], ["Europe/Berlin", true]);
  assert.ok(account.defaultnotifications.some((entry: object) => bea in entry));
  await page.getByRole("link", { name: "Schedules" }).click();
  await page.getByText("account’s time zone (Europe/Berlin)").waitFor();
  assert.deepEqual(dashboard.faults, []);
});

test("an owner makes a token, which is shown once, and revokes it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const callAs = (token: string, method = "GET"): Promise<Response> =>
    fetch(`${site.base}/api/1/contactgroups`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
  await page.getByRole("link", { name: "API tokens" }).click();
  await page.getByRole("button", { name: "Create a token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create a token" }).click();
  await dialog.getByText(/required/).waitFor();
  await dialog.getByLabel("Label").fill("backup\u202Escript");
  await dialog.getByLabel("Ends").selectOption({ label: "After 30 days" });
  assert.deepEqual(await faultsInAllLooks(page, "token-create"), []);
  await dialog.getByRole("button", { name: "Create a token" }).click();
  const secret = await page.getByRole("textbox", { name: "Token" }).inputValue();
  assert.match(secret, /^[A-Z0-9]{8}-/);
  assert.deepEqual(await faultsInAllLooks(page, "token-secret"), []);
  await page.getByRole("button", { name: "I have stored it" }).click();
  assert.deepEqual(
    [(await callAs(secret)).status, (await callAs(secret, "POST")).status],
    [200, 403],
    "it only reads",
  );
  const token = page.getByRole("listitem").filter({ hasText: "backupscript" });
  await token.waitFor();
  assert.equal(await page.getByText(secret).count(), 0);
  assert.deepEqual(await faultsInAllLooks(page, "tokens"), []);
  await page.setViewportSize({ width: 360, height: 740 });
  const { x, width } = (await token.getByRole("button", { name: /^Revoke/ }).boundingBox()) ?? {};
  assert.ok(x !== undefined && x + Number(width) <= 360, "the button is in sight on a phone");
  await page.getByRole("button", { name: "Revoke backupscript" }).click();
  assert.deepEqual(await faultsInAllLooks(page, "token-revoke"), []);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await token.waitFor({ state: "detached" });
  assert.equal((await callAs(secret)).status, 403);
  assert.deepEqual(dashboard.faults, []);
});

test("an owner sees who changed what, and narrows it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const { _id: check } = await site.api("POST checks", { type: "PUSH", label: "Backup" });
  for (let change = 0; change < 60; change += 1)
    await site.api(`PUT checks/${check}`, { label: `Backup ${change}` });
  const { _id: group } = await site.api("POST contactgroups", { name: "Night shift" });
  const [owner] = Object.keys(await site.api("GET contacts"));
  await site.api(`PUT contactgroups/${group}`, { members: [owner] });
  await site.api(`PUT checks/${check}`, { interval: 1, mute: true, description: "planted" });
  await page.getByRole("link", { name: "Audit log" }).click();
  const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  await entries.filter({ hasText: "created the contact group Night shift" }).waitFor();
  assert.equal(await entries.count(), 50);
  await entries.filter({ hasText: /Members: none →to Owner/ }).waitFor();
  const several = entries.filter({ hasText: /Interval: 15 mins? →to 1 min/ });
  await several.filter({ hasText: /Muted: no →to until unmuted/ }).waitFor();
  await several.filter({ hasText: "Notes: changed" }).waitFor();
  assert.equal(await page.getByText("planted").count(), 0);
  assert.deepEqual(await faultsInAllLooks(page, "audit-values"), []);
  const changed = entries.filter({ hasText: "changed the check Backup 59" });
  await changed.filter({ hasText: /Name: Backup 57 →to Backup 58/ }).waitFor();
  assert.equal(
    await changed.first().getByRole("link", { name: "Backup 59" }).getAttribute("href"),
    `/checks/${check}`,
  );
  await page.getByRole("button", { name: "Show older" }).click();
  const chosen = entries.filter({ hasText: "chose a new password" });
  await chosen.waitFor();
  assert.equal(await page.getByRole("button", { name: "Show older" }).count(), 0);
  await page.getByLabel("By", { exact: true }).selectOption({ label: "A link in a mail" });
  await changed.first().waitFor({ state: "detached" });
  await chosen.waitFor();
  assert.equal(await entries.count(), 1);
  assert.deepEqual(await faultsInAllLooks(page, "audit"), []);
  await page.getByLabel("Kind of record").selectOption({ label: "schedule" });
  await page.getByText("Nothing was changed that fits.").waitFor();
  assert.deepEqual(dashboard.faults, []);
});
