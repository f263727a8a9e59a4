import assert from "node:assert/strict";
import { test } from "node:test";

import { openContext } from "../../servers/chromium.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("the API reference has a search, and sends requests with the session or a token", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const { token } = await site.api("POST tokens", { label: "Reference" });
  await page.goto(new URL("/docs", site.base).href);
  const index = page.getByRole("navigation", { name: "Index" });
  await index.getByRole("link", { name: "GET /checks[/{id}]", exact: true }).click();
  await page.getByRole("heading", { name: "GET /checks", exact: false }).first().waitFor();

  await page.keyboard.press("/");
  await page.keyboard.type("schedule preview");
  await page.getByText(/^\d+ found$/).waitFor();
  await index.getByRole("link", { name: "GET /accounts[/{id}]" }).waitFor({ state: "hidden" });
  await index.getByRole("link", { name: "GET /schedules/preview" }).waitFor();

  await page.getByRole("searchbox", { name: "Search" }).fill("POST /contactgroups");
  const create = page.locator("#postContactgroups");
  await create.getByText("Try it").click();
  await create.getByLabel("Parameters, as JSON").fill('{"name":"On call"}');
  await create.getByRole("button", { name: "Send POST" }).click();
  await create
    .getByRole("status")
    .getByText(/200.*"name": "On call"/s)
    .waitFor();
  const groups = Object.values(await site.api("GET contactgroups"));
  assert.equal(groups.length, 1);
  assert.deepEqual(await faultsInAllLooks(page, "reference"), []);
  assert.deepEqual(dashboard.faults, []);

  await page.context().clearCookies();
  await create.getByRole("button", { name: "Send POST" }).click();
  await create.getByRole("status").getByText("403").waitFor();
  await page.getByRole("textbox", { name: "Token" }).fill(token);
  await create.getByRole("button", { name: "Send POST" }).click();
  await create.getByRole("status").getByText("200").waitFor();
  await create.getByLabel("Parameters, as JSON").fill("{");
  await create.getByRole("button", { name: "Send POST" }).click();
  await create.getByRole("status").getByText("SyntaxError").waitFor();
});

test("the API reference shows all operations without scripts", async () => {
  await using dashboard = await openSharedDashboard();
  const { browser, site } = dashboard;
  const context = await openContext(browser, { javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(new URL("/docs", site.base).href);
    const operations = page.locator("article[data-verb]");
    const links = page.getByRole("navigation", { name: "Index" }).locator("li li a");
    assert.ok((await operations.count()) > 80);
    assert.equal(await links.count(), await operations.count());
    await operations.last().getByText("Response", { exact: true }).waitFor();
    await page.locator("#record-HttpCheck").getByText("Requests a URL").waitFor();
  } finally {
    await context.close();
  }
});
