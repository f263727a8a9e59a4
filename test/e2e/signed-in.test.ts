import assert from "node:assert/strict";
import { test } from "node:test";

import { launchChromium } from "../servers/chromium.ts";
import { start, temporaryFolder } from "./process.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse battery";

test("the link of the first start leads an owner to the dashboard, without a token", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  const link = /Sign in +(\S+)/.exec(site.output())?.[1] ?? "";
  await site.api("POST checks", { type: "PUSH", label: "Backup" });
  const browser = await launchChromium();
  await using _browser = { [Symbol.asyncDispose]: () => browser.close() };
  const page = await browser.newPage();
  const hasChecks = (): Promise<void> => page.locator("#checks td").first().waitFor();

  await page.goto(link);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Open the dashboard" }).click();
  await hasChecks();
  assert.match(await page.locator("#checks").innerText(), /Backup/);
  assert.equal(await page.getByLabel("API token").isVisible(), false);

  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto(site.base);
  await page.getByLabel("API token").waitFor();
  assert.equal(await page.locator("#checks").isVisible(), false);

  await page.getByRole("link", { name: "sign in" }).click();
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Open the dashboard" }).click();
  await hasChecks();

  await page.goto(link);
  assert.match(await page.locator("main, body").first().innerText(), /used, or has expired/);
});
