import assert from "node:assert/strict";
import { test } from "node:test";

import { HOTP, TOTP } from "otpauth";

import { faultsInAllLooks, PASSWORD } from "../dashboard/dashboard.ts";
import { openSharedDashboard } from "../dashboard/shared-dashboard.ts";

test("an owner sets up an authenticator app, and signs in with it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site, email } = dashboard;
  await page.goto(`${site.base}/two-factor`);
  await page.getByLabel("Your password").fill(PASSWORD);
  assert.deepEqual(await faultsInAllLooks(page, "two-factor-off"), []);
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  await page.getByText("Can't scan it?").click();
  const secret = (await page.locator("code").first().innerText()).replaceAll(" ", "");
  assert.deepEqual(await faultsInAllLooks(page, "two-factor-app"), []);
  const app = new TOTP({ secret });
  await page.getByLabel("The code that the app shows").fill(app.generate());
  await page.getByRole("button", { name: "Turn it on" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await page.getByRole("link", { name: "Back to Watchpost" }).waitFor();
  assert.equal(await page.getByRole("listitem").count(), 10);
  assert.deepEqual(await faultsInAllLooks(page, "recovery-codes"), []);
  await page.getByRole("link", { name: "Back to Watchpost" }).click();
  await page.getByRole("button", { name: /owner|Your account/i }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();

  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "sign-in"), []);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "second-factor"), []);
  // The one that was used counts no more, and the next is valid half a minute before its time.
  const next = new HOTP({ secret }).generate({ counter: app.counter() + 1 });
  await page.getByLabel("Code of your authenticator app").fill(next);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});
