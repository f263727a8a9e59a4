import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page, Route } from "playwright-core";

import { clientPaths } from "../../../src/domain/dashboard-paths.ts";
import { accessibilityFaults } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const API = "**/api/1/**";

/** Requests that a page needs before it shows its own content. */
const SHELL = /\/api\/1\/(?:sessions|accounts|updates)\b/;

/** Returns the violations found by axe in light and dark mode. */
async function faultsInBothColors(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({
      state: "attached",
    });
    const found = await accessibilityFaults(page, { isRecolored: colorScheme === "dark" });
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}

async function lookAtAll(
  page: Page,
  base: string,
  isThere: () => Promise<void>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const path of clientPaths) {
    await page.goto(`${base}${path.replace(":id", "251123000000ABCDE-ABCDEFGH")}`);
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
    await isThere();
    faults.push(...(await faultsInBothColors(page)).map((fault) => `${path}: ${fault}`));
  }
  return faults;
}

test("pages can be read by everybody while they load", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const held: Route[] = [];
  await page.route(API, (route) => {
    if (SHELL.test(route.request().url())) return route.continue();
    held.push(route);
    return undefined;
  });
  const faults = await lookAtAll(page, site.base, async () => {
    await page.locator("main").locator("h1, [aria-busy]").first().waitFor();
  });
  assert.ok(held.length > 10);
  await page.unroute(API);
  assert.deepEqual(faults, []);
});

test("pages can be read by everybody where nothing could be loaded", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  let refused = 0;
  await page.route(API, (route) => {
    if (SHELL.test(route.request().url())) return route.continue();
    refused += 1;
    return route.fulfill({ status: 400, json: { error: "The database is locked" } });
  });
  const faults = await lookAtAll(page, site.base, async () => {
    await page.locator("main").locator("h1, [role=alert]").first().waitFor();
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
  });
  assert.ok(refused > 10);
  await page.unroute(API);
  assert.deepEqual(faults, []);
});

test("pages can be read by everybody while an account is empty", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const faults = await lookAtAll(page, site.base, async () => {
    await page.locator("main").locator("h1, [role=alert]").first().waitFor();
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
  });
  assert.deepEqual(faults, []);
});
