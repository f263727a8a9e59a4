import assert from "node:assert/strict";
import { test } from "node:test";

import { openContext } from "../../servers/chromium.ts";
import type { Page } from "playwright-core";

import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

async function middleOf(page: Page, name: string) {
  const box = await page.getByRole("gridcell", { name }).boundingBox();
  assert.ok(box, name);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("a week is painted with the mouse, a finger and the keyboard, and says when it is open", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByRole("link", { name: "Schedules" }).click();
  await page.getByRole("button", { name: "Add a schedule" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Weekends");
  await page.getByRole("button", { name: "Never", exact: true }).click();
  await page.getByText("Never opens: no alert goes out").waitFor();

  const from = await middleOf(page, "Mon, 8:00 to 8:30: closed");
  const to = await middleOf(page, "Mon, 9:30 to 10:00: closed");
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await page.mouse.up();
  await page.getByText("Mon: 8:00 – 10:00").waitFor();

  // The cell that the tabulator reaches.
  await page.getByRole("gridcell", { name: "Mon, 8:00 to 8:30: open" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("Tue: 8:00 – 9:00").waitFor();
  await page.getByText("Wed: 8:30 – 9:00").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "schedules-paint"), []);

  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Another schedule has this name.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Mornings");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("region", { name: "Mornings" }).waitFor();
  const { Mornings: saved } = await site.api("GET schedules");
  assert.deepEqual(
    [saved.monday, saved.tuesday, saved.sunday],
    [{ time1: "8:00", time2: "10:00" }, { time1: "8:00", time2: "9:00" }, { disabled: true }],
  );
  assert.deepEqual(await faultsInAllLooks(page, "schedules"), []);

  await page
    .getByRole("region", { name: "Mornings" })
    .getByRole("button", { name: "Delete" })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("region", { name: "Mornings" }).waitFor({ state: "detached" });

  await site.api("PUT accounts", { timezone: "Asia/Tokyo" });
  await becomeViewer(dashboard);
  await page.getByText("account’s time zone (Asia/Tokyo)").waitFor();
  // Either the days or the nights are closed now, and open in the zone that the page names.
  const opens = page.getByRole("main").locator("time").first();
  assert.ok((await opens.getAttribute("title"))?.startsWith(String(await opens.textContent())));
  await page.getByRole("region", { name: "Nights" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Add|Edit|Delete/ }).count(), 0);
  assert.deepEqual(dashboard.faults, []);
});

test("a finger paints a week on a telephone", async () => {
  await using dashboard = await openSharedDashboard();
  const { browser, context, site } = dashboard;
  const phone = await openContext(browser, {
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
    storageState: await context.storageState(),
  });
  const page = await phone.newPage();
  await page.goto(`${site.base}/schedules`);
  await page.getByRole("button", { name: "Add a schedule" }).tap();
  await page.getByRole("button", { name: "Never", exact: true }).tap();
  const from = await middleOf(page, "Tue, 2:00 to 2:30: closed");
  const to = await middleOf(page, "Tue, 4:00 to 4:30: closed");
  const devtools = await phone.newCDPSession(page);
  const touch = (
    type: "touchStart" | "touchMove" | "touchEnd",
    points: { readonly x: number; readonly y: number }[],
  ) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [from]);
  for (let step = 1; step <= 10; step += 1)
    await touch("touchMove", [{ x: from.x + ((to.x - from.x) * step) / 10, y: from.y }]);
  await touch("touchEnd", []);
  await page.getByText("Tue: 2:00 – 4:30").waitFor();
  await phone.close();
});
