import assert from "node:assert/strict";
import { test } from "node:test";

import type { CDPSession, Page } from "playwright-core";

import { becomeViewer } from "./as-viewer.ts";
import { accessibilityFaults, faultsInAllLooks, sidewaysScroll } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const QUESTION = "Set the time zone of this account";

/** One for each page, because a second session may not change the time zone that the first has set. */
const sessions = new WeakMap<Page, CDPSession>();

/** Reloads the page in a browser that is somewhere else. */
async function moveTo(page: Page, timezoneId: string): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send("Emulation.setTimezoneOverride", { timezoneId });
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

test("an owner is asked for the time zone of the browser once, and takes it by one click", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await moveTo(page, "Europe/Berlin");
  const question = page.getByRole("group", { name: QUESTION });
  await question.waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "zone-question"), []);
  await page.goto(`${site.base}/welcome`);
  await question.getByRole("button", { name: /^Use Europe\/Berlin \(GMT\+0[12]:00\)$/ }).click();
  await question.waitFor({ state: "detached" });
  assert.equal(await page.evaluate("document.activeElement.id"), "content");
  const account = await site.api("GET sessions/current");
  assert.equal(account.timezonename, "Europe/Berlin");
  await page.goto(site.base);
  await page.getByText("There are no checks yet.").waitFor();
  assert.equal(await question.count(), 0);
  assert.deepEqual(dashboard.faults, []);
});

test("an owner keeps GMT by the keyboard, and is asked no more, in German on a telephone", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.evaluate('localStorage.setItem("watchpost-language", "de")');
  await page.setViewportSize({ width: 390, height: 740 });
  await moveTo(page, "America/Argentina/ComodRivadavia");
  const question = page.getByRole("group", { name: "Zeitzone dieses Kontos festlegen" });
  await question.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.ok((await sidewaysScroll(page)) <= 0);
  await question.getByRole("button").first().focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "GMT behalten");
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  const account = await site.api("GET sessions/current");
  assert.equal(account.timezonename, "UTC");
  await page.reload();
  await page.getByText("Es gibt noch keine Prüfungen.").waitFor();
  assert.equal(await question.count(), 0);
  assert.deepEqual(dashboard.faults, []);
});

test("nobody is asked who is in GMT, whose account has a time zone, or who may not change it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const question = page.getByRole("group", { name: QUESTION });
  const isAsked = async (timezoneId: string): Promise<boolean> => {
    await moveTo(page, timezoneId);
    await page.getByText("There are no checks yet.").waitFor();
    await page.waitForLoadState("networkidle");
    return (await question.count()) > 0;
  };
  assert.equal(await isAsked("Etc/UTC"), false);
  assert.equal(await isAsked("Europe/London"), true);
  await site.api("PUT accounts", { timezone: "-7" });
  assert.equal(await isAsked("Europe/London"), false);
  await site.api("PUT accounts", { timezone: "0" });
  await becomeViewer(dashboard);
  assert.equal(await isAsked("Europe/London"), false);
});

test("a time zone is found by its city, its region and its offset, by the keyboard alone", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.goto(`${site.base}/settings`);
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await zone.focus();
  for (const [typed, found, missing] of [
    ["berlin", /^Europe\/Berlin /, /^Europe\/Paris /],
    ["south america argentina", undefined, /^America\/Argentina/],
    ["asia", /^Asia\/Tokyo /, /^Europe\//],
    ["+9", /^Asia\/Tokyo /, /^Asia\/Dubai /],
  ] as const) {
    await zone.fill("");
    await page.keyboard.type(typed);
    if (found === undefined) await page.getByText("No time zone matches.").waitFor();
    else await page.getByRole("option", { name: found }).first().waitFor();
    assert.equal(await page.getByRole("option", { name: missing }).count(), 0);
  }
  await zone.fill("");
  await page.keyboard.type("tokyo");
  await page.keyboard.press("Enter");
  assert.equal(await zone.inputValue(), "Asia/Tokyo (GMT+09:00)");
  assert.deepEqual(await faultsInAllLooks(page, "zone-field"), []);
  // Typing replaces it.
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("lima");
  await page.keyboard.press("Enter");
  assert.equal(await zone.inputValue(), "America/Lima (GMT-05:00)");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  const account = await site.api("GET sessions/current");
  assert.equal(account.timezonename, "America/Lima");
  assert.deepEqual(dashboard.faults, []);
});

test("a status page has the time zone of the account again once its own is not wanted", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const made = await site.api("POST statuspages", { name: "Shop", timezone: "Asia/Tokyo" });
  await page.goto(`${site.base}/status-pages`);
  await page.getByRole("region", { name: "Shop" }).getByRole("button", { name: "Edit" }).click();
  const zone = page.getByRole("combobox", { name: "Time zone" });
  assert.equal(await zone.inputValue(), "Asia/Tokyo (GMT+09:00)");
  await zone.focus();
  await page.keyboard.type("account");
  await page.keyboard.press("Enter");
  assert.equal(await zone.inputValue(), "The account’s time zone");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  assert.equal((await site.api(`GET statuspages/${made._id}`)).timezone, "");
});
