import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../time/wait-for.ts";
import { faultsInAllLooks, type Dashboard } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

async function withChecks({ site, page }: Dashboard, count: number): Promise<void> {
  for (let made = 1; made <= count; made += 1)
    await site.api("POST checks", {
      type: made % 2 === 0 ? "PUSH" : "HTTP",
      target: "http://localhost/",
      label: `Check ${made}`,
      tags: [made % 3 === 0 ? "web" : "db"],
    });
  await page.getByRole("link", { name: "Checks", exact: true }).click();
  await page.getByText(`${count} checks`, { exact: true }).waitFor();
}

test("the list is searched, filtered, sorted and grouped, and the address keeps that", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await withChecks(dashboard, 40);
  const grid = page.getByRole("grid");
  assert.equal(await grid.getAttribute("aria-rowcount"), "41");
  assert.deepEqual(await faultsInAllLooks(page, "checks"), []);

  await page.keyboard.press("/");
  await page.keyboard.type("check 1 web");
  await page.getByText("4 of 40 checks").waitFor();
  await page.waitForURL(/\/checks\?q=check\+1\+web$/);
  await page.reload();
  await page.getByText("4 of 40 checks").waitFor();
  await page.getByRole("searchbox").press("Escape");
  await page.getByText("40 checks", { exact: true }).waitFor();

  await page.getByRole("combobox", { name: "Types" }).click();
  await page.getByRole("option", { name: "PUSH" }).click();
  await page.getByText("20 of 40 checks").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("switch", { name: "By tag" }).check({ force: true });
  await page.getByRole("row", { name: /^db \(14\)/ }).waitFor();
  await page.waitForURL(/type=PUSH&group=tag$/);
  await page
    .getByRole("button", { name: /^Up|Unknown|Paused/ })
    .first()
    .click();
  await page.waitForURL(/state=paused/);
  assert.deepEqual(dashboard.faults, []);
});

test("rows are walked through by keys, and opened with Enter", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await withChecks(dashboard, 40);
  await page.getByRole("grid").focus();
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press("ArrowDown");
  await page.locator('[aria-rowindex="32"][data-active="true"]').waitFor();
  await page.keyboard.press("End");
  await page.locator('[aria-rowindex="41"][data-active="true"]').waitFor();
  await page.keyboard.press("Home");
  await page.locator('[aria-rowindex="2"][data-active="true"]').waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/checks\/\w+-\w+$/);
});

test("checks that are selected are changed alike, and the list shows it without a reload", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await withChecks(dashboard, 6);
  await page.getByRole("grid").focus();
  await page.keyboard.press(" ");
  await page.getByRole("region", { name: "1 check selected" }).waitFor();
  await page.getByRole("checkbox", { name: "Select Check 2" }).check();
  const bar = page.getByRole("region", { name: "2 checks selected" });
  await bar.getByRole("button", { name: "Mute", exact: true }).click();
  await page.getByRole("menuitem", { name: "For 30 minutes" }).click();
  await page.getByText("2 checks changed").first().waitFor();
  await page
    .getByRole("row", { name: /Check 2/ })
    .getByLabel("Muted")
    .waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "checks-selected"), []);
  await bar.getByRole("button", { name: "Tag" }).click();
  await page.getByRole("textbox", { name: "Tag" }).fill("night");
  await page.getByRole("menuitem", { name: "Add the tag" }).click();
  await page.getByRole("row", { name: /Check 1.*#night/ }).waitFor();
  await bar.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: /^Delete 2 checks/ });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("4 checks", { exact: true }).waitFor();
  assert.equal(Object.keys(await site.api("GET checks")).length, 4);
  assert.deepEqual(dashboard.faults, []);
});

test("a check that is added while the list is being read is in it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.addInitScript({
    content: `globalThis.EventSource = class extends EventSource {
      constructor(url) {
        super(url);
        this.addEventListener("statuses", () => (globalThis.hasHeard = true));
      }
    };`,
  });
  let reads = 0;
  await page.route("**/api/1/statuses", async (route) => {
    const response = await route.fetch();
    reads += 1;
    if (reads === 1) {
      await site.api("POST checks", { type: "PUSH", label: "Late" });
      await waitFor("the change is heard", () => page.evaluate("globalThis.hasHeard === true"));
    }
    await route.fulfill({ response });
  });
  await page.goto(`${site.base}/checks`);
  await page.getByRole("row", { name: /Late/ }).waitFor();
});

test("what is shown is said to be old while nothing is received", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await withChecks(dashboard, 3);
  const updates = "**/api/1/updates?*";
  await page.route(updates, (route) => route.abort());
  await page.clock.install();
  await page.reload();
  await page.getByText("3 checks", { exact: true }).waitFor();
  await page.clock.fastForward(120_000);
  await page.getByText(/^Last heard \d+ mins? ago/).waitFor();
  await page.unroute(updates);
  await waitFor("something is received again", async () => {
    await page.clock.fastForward(1000);
    return (await page.getByText(/^Last heard/).count()) === 0;
  });
});
