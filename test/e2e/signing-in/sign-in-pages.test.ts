import assert from "node:assert/strict";
import { after, test } from "node:test";

import { openContext } from "../../servers/chromium.ts";
import { faultsInAllLooks, faultsOf, PASSWORD } from "../dashboard/dashboard.ts";
import { openSharedDashboard } from "../dashboard/shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { site, browser, email } = dashboard;

test("the pages on which people sign in are in the first language of the browser that there is", async () => {
  await using context = await openContext(browser, { locale: "de-AT" });
  const page = await context.newPage();
  const faults = faultsOf(page);
  for (const [path, words] of [
    ["/forgot", ["Es kann keine E-Mail gesendet werden", "watchpost account sign-in"]],
    ["/start?link=none", ["wurde schon benutzt oder ist abgelaufen"]],
    ["/signin?problem=unknown", ["Niemand mit Ihrer E-Mail-Adresse hat hier Zugang."]],
    ["/verify", ["Anmelden", "E-Mail"]],
  ] as const) {
    await page.goto(`${site.base}${path}`);
    for (const word of words) await page.getByText(word).first().waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
  }
  await page.getByLabel("E-Mail").fill(email);
  await page.getByLabel("Passwort").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("E-Mail-Adresse oder Passwort stimmt nicht.").waitFor();
  assert.equal(await page.getByLabel("E-Mail").inputValue(), email, "what was entered is kept");
  assert.deepEqual(await faultsInAllLooks(page, "sign-in-german"), []);
  assert.deepEqual(faults, []);
});

test("who signs in is led to a page of this installation alone, and shown no text of an address", async () => {
  await using context = await openContext(browser, { locale: "en-GB" });
  const page = await context.newPage();
  const next = encodeURIComponent("//evil.example/");
  await page.goto(`${site.base}/signin?problem=constructor&next=${next}`);
  await page.getByLabel("Email").fill(email);
  assert.equal(await page.getByRole("alert").count(), 0);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
  assert.equal(page.url(), `${site.base}/`);
  await page.goto(`${site.base}/signin`);
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  await page.goto(`${site.base}/signout`);
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
});
