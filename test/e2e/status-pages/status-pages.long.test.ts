import assert from "node:assert/strict";
import { test } from "node:test";

import { faultsInAllLooks, type Dashboard } from "../dashboard/dashboard.ts";
import { openSharedDashboard } from "../dashboard/shared-dashboard.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Own names, an order by keyboard, and what the page looks like. */
async function lookAndOrder({ page }: Pick<Dashboard, "page">): Promise<void> {
  await page.getByLabel("Name of Home page on the page").fill("Our shop");
  await page.getByLabel("Name of Checkout on the page").fill("Our checkout");
  await page.getByRole("button", { name: "Move Checkout up" }).focus();
  await page.keyboard.press("Enter");
  // It is the first now: only the way back is left.
  const back = page.getByRole("button", { name: "Move Checkout down" });
  await back.and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Add a section" }).click();
  await page.getByLabel("Name of section 2").fill("Payments");
  await page.getByRole("button", { name: "Move Section 2 up" }).focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: "Move Section 1 down" })
    .and(page.locator(":focus"))
    .waitFor();
  await page.getByLabel("Text at the end").fill("**Nobody** reads this");
  await page
    .getByRole("group", { name: "Preview of Text at the end" })
    .getByText("Nobody")
    .waitFor();
  await page.getByLabel("Color of its head").fill("#ffff00");
  await page.getByText("It is hard to see for some").waitFor();
  await page.getByLabel("Color of its head").fill("#1d4ed8");
  const file = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") };
  const input = page.locator('input[type="file"]');
  await input.setInputFiles(file);
  await page.getByText("It must be a PNG").waitFor();
  await input.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: png });
  await page.getByText("It has this one").waitFor();
  await page.getByLabel("Charts of response times").selectOption("24h");
  await page.getByRole("combobox", { name: "Time zone" }).fill("berlin");
  await page.getByRole("option", { name: /^Europe\/Berlin / }).click();
  await page.getByLabel("Readers can subscribe on the page").uncheck({ force: true });
  assert.deepEqual(await faultsInAllLooks(page, "status-pages-look"), []);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("2 sections, 2 checks").waitFor();
}

test("a status page is made, opened, changed and deleted in the dashboard", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  for (const label of ["Home page", "Checkout"])
    await site.api("POST checks", { type: "PUSH", label, enabled: "active" });
  await page.goto(`${site.base}/status-pages`);
  await page.getByRole("button", { name: "Add a status page" }).first().click();
  await page.getByRole("button", { name: "Save" }).click();
  // The error is far above the button.
  await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.getByLabel("Last part of its address").fill("Not right!");
  await page.getByLabel("Name of section 1").fill("Web");
  await page.getByLabel("Home page").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("must be 1 to 63 lower-case letters").waitFor();
  await page.getByLabel("Last part of its address").fill("shop");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 section, 1 check").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "status-pages"), []);
  const shown = await fetch(`${site.base}/status/shop`);
  assert.match(await shown.text(), /Home page/);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Checkout").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 section, 2 checks").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await lookAndOrder(dashboard);
  const changed = await (await fetch(`${site.base}/status/shop`)).text();
  assert.equal((await fetch(`${site.base}/status/shop/subscribe`)).status, 404);
  assert.ok(changed.indexOf("Payments</h2>") < changed.indexOf("Our shop</h3>"), "sections");
  assert.match(changed, /Our checkout<\/h3>[\s\S]*Our shop<\/h3>/);
  for (const shown of [/<strong>Nobody<\/strong>/, /solid #1d4ed8/, /shop\/logo"/])
    assert.match(changed, shown);
  await page.getByRole("button", { name: "Show it elsewhere" }).click();
  await page.getByText("/status/shop/widget.js").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "status-pages-embed"), []);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("There are no status pages yet.").waitFor();
  assert.deepEqual(dashboard.faults, []);
});
