import assert from "node:assert/strict";
import { after, test } from "node:test";

import { TOTP } from "otpauth";

import { openContext } from "../../servers/chromium.ts";
import type { Page } from "playwright-core";

import { faultsInAllLooks, PASSWORD, signInAs } from "../dashboard/dashboard.ts";
import { openSharedDashboard } from "../dashboard/shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { page, site, browser, email } = dashboard;

const NEW_PASSWORD = `${PASSWORD} 2`;

async function signIn(on: Page, password: string): Promise<void> {
  await on.getByLabel("Email").fill(email);
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
  await page.waitForURL(/\/checks\?q=back$/);
  await page.getByText("Backup").first().waitFor();
  await page.unroute(asked);
});

/** Fills a form, and sends it when the session has ended. */
async function addContact(name: string): Promise<void> {
  await page.goto(`${site.base}/contacts`);
  await page.getByRole("button", { name: "Add a contact" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await dashboard.context.clearCookies();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await signInDialog.waitFor();
}

const signInDialog = page.getByRole("dialog", { name: "Sign in again" });
const passwordInput = signInDialog.getByRole("textbox", { name: "Password" });
const signInButton = signInDialog.getByRole("button", { name: "Sign in" });

test("what is entered in a form outlives the session, and is sent when the same person has signed in again", async () => {
  await addContact("Night shift");
  assert.deepEqual(await faultsInAllLooks(page, "sign-in-again"), []);
  await page.keyboard.press("Escape");
  await passwordInput.fill("wrong");
  await signInButton.click();
  await signInDialog.getByText("The email or the password is not right.").waitFor();
  await passwordInput.fill(NEW_PASSWORD);
  await signInButton.click();
  await page.getByRole("heading", { name: "Night shift" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.deepEqual(dashboard.faults, []);
});

test("a second factor is asked for over the form, too", async () => {
  await page.goto(`${site.base}/two-factor`);
  await page.getByLabel("Your password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByText("Can't scan it?").click();
  const secret = (await page.locator("code").first().innerText()).replaceAll(" ", "");
  await page.getByLabel("The code that the app shows").fill(new TOTP({ secret }).generate());
  await page.getByRole("button", { name: "Turn it on" }).click();
  const code = await page.getByRole("listitem").first().innerText();
  await addContact("Day shift");
  await passwordInput.fill(NEW_PASSWORD);
  await signInButton.click();
  await signInDialog.getByLabel("Code of your authenticator app").fill(code);
  assert.deepEqual(await faultsInAllLooks(page, "sign-in-again-code"), []);
  await signInButton.click();
  await page.getByRole("heading", { name: "Day shift" }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});

test("who signs in as somebody else begins anew", async () => {
  await using bobs = await signInAs(dashboard, { name: "Bob", custrole: "edit" });
  await addContact("Nobody");
  await dashboard.context.addCookies(await bobs.cookies());
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.getByRole("button", { name: "Bob" }).waitFor();
  assert.doesNotMatch(JSON.stringify(await site.api("GET contacts")), /Nobody/);
});
