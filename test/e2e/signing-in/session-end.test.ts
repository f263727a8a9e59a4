import assert from "node:assert/strict";
import { after, test } from "node:test";

import { openContext } from "../../servers/chromium.ts";
import type { Page } from "playwright-core";

import { EMAIL, openDashboard, PASSWORD } from "../dashboard/dashboard.ts";

const dashboard = await openDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { page, site, browser } = dashboard;

const NEW_PASSWORD = `${PASSWORD} 2`;

async function signIn(on: Page, password: string): Promise<void> {
  await on.getByLabel("Email").fill(EMAIL);
  await on.getByLabel("Password").fill(password);
  await on.getByRole("button", { name: "Sign in" }).click();
  await on.getByRole("navigation", { name: "Main navigation" }).waitFor();
}

test("a page whose session ends leads to sign-in, and back to where the reader was", async () => {
  const { _id: check } = await site.api("POST checks", { type: "PUSH", label: "Backup" });
  await page.goto(`${site.base}/checks/${check}`);
  await page.getByRole("heading", { level: 1, name: "Backup" }).waitFor();
  await using other = await openContext(browser, { locale: "en-GB" });
  const second = await other.newPage();
  await second.goto(`${site.base}/account`);
  await signIn(second, PASSWORD);
  await second.getByRole("button", { name: "Sign out everywhere else" }).click();
  // The stream of updates ends.
  await page.waitForURL(/\/signin\?next=/);
  await signIn(page, PASSWORD);
  await page.getByRole("heading", { level: 1, name: "Backup" }).waitFor();
  assert.equal(page.url(), `${site.base}/checks/${check}`);

  // This one has no stream.
  await page.goto(`${site.base}/notifications?kind=down`);
  await page.getByRole("heading", { level: 1, name: "Alert log" }).waitFor();
  await second.goto(`${site.base}/password`);
  await second.getByLabel("Current password").fill(PASSWORD);
  await second.getByLabel("New password").fill(NEW_PASSWORD);
  await second.getByRole("button", { name: "Change it" }).click();
  await page.waitForURL(/\/signin\?next=/);
  await signIn(page, NEW_PASSWORD);
  await page.getByRole("heading", { level: 1, name: "Alert log" }).waitFor();
  assert.match(page.url(), /\/notifications\?kind=down$/);
  assert.deepEqual(dashboard.faults, []);
});

test("a page whose service fails for a while stays where it is", async () => {
  await page.goto(`${site.base}/checks`);
  await page.getByRole("grid", { name: "Checks of the account" }).waitFor();
  const asked = "**/api/1/sessions/current";
  await page.route(asked, (route) => route.fulfill({ status: 503, body: "{}" }));
  const answered = page.waitForResponse(asked);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  assert.equal((await answered).status(), 503);
  await page.getByRole("searchbox", { name: "Search checks" }).fill("back");
  await page.getByText("Backup").first().waitFor();
  await page.unroute(asked);
  assert.match(page.url(), /\/checks\?q=back$/);
});
