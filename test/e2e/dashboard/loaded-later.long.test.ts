import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { openSharedDashboard } from "./shared-dashboard.ts";

const CODE = /groups-page[^/]*\.js$/;

test("a page whose code did not arrive says so, and opens after a reload", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await page.route(CODE, (route) => route.abort());
  await page.getByRole("link", { name: "Groups" }).click();
  await page.getByText("A part of this page didn't arrive.").waitFor();
  await page.unroute(CODE);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText("There are no groups yet.").waitFor();
});

/** Makes the page one of an older version, whose code the server no longer has. */
async function outdate(page: Page): Promise<void> {
  await page.evaluate(
    `document.querySelector("script[type=module][src]").setAttribute("src", "/of-an-older-version.js")`,
  );
  await page.route(CODE, (route) => route.fulfill({ status: 404 }), { times: 1 });
}

function countDocuments(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) count += 1;
  });
  return () => count;
}

test("a page of an older version reloads itself once", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await outdate(page);
  const documents = countDocuments(page);
  await page.getByRole("link", { name: "Groups" }).click();
  await page.getByText("There are no groups yet.").waitFor();
  assert.equal(documents(), 1);
});

test("a page of an older version in which something may have been entered asks before it reloads", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await outdate(page);
  const documents = countDocuments(page);
  await page.evaluate(`document.querySelector("main").append(document.createElement("form"))`);
  await page.getByRole("link", { name: "Groups" }).click();
  const reload = page.getByRole("button", { name: "Reload" });
  await reload.waitFor();
  assert.equal(documents(), 0);
  await reload.click();
  await page.getByText("There are no groups yet.").waitFor();
  assert.equal(documents(), 1);
});
