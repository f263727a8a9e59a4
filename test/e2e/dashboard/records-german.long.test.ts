import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults, allLoaded, sidewaysScroll } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const pages = [
  ["contacts", "Kontakte"],
  ["groups", "Gruppen"],
  ["profiles", "Profile"],
  ["schedules", "Zeitpläne"],
  ["maintenance", "Wartung"],
  ["notifications", "Meldungen"],
  ["locations", "Standorte"],
  ["subaccounts", "Unterkonten"],
  ["branding", "Erscheinungsbild"],
  ["checks/new?type=HTTPADV", "Neue Prüfung"],
  ["status-pages", "Statusseiten"],
  ["incidents", "Störungen"],
] as const;

test("the pages of records fit a telephone in German", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const check = await site.api("POST checks", { type: "PUSH", label: "Backup", enabled: true });
  const { _id: contact } = await site.api("POST contacts", {
    name: "Donaudampfschifffahrtsgesellschaftskapitän",
    custrole: "notify",
    newaddresses: [{ type: "webhook", address: `https://example.com/${"x".repeat(200)}` }],
  });
  await site.api("POST contactgroups", { name: "x".repeat(200), members: [contact] });
  await site.api("POST notificationprofiles", {
    name: "Nachts",
    notifications: [{ [contact]: { schedule: "Nights", delay: 5 } }],
  });
  await site.api("POST maintenance", {
    name: "Umzug",
    duration: 5,
    cron: "0 2 * * 1,2,3,4,5",
    checklist: [check._id],
  });
  await page.evaluate('localStorage.setItem("watchpost-language", "de")');
  await page.setViewportSize({ width: 320, height: 640 });
  const faults: string[] = [];
  for (const [path, title] of pages) {
    await page.goto(`${site.base}/${path}`);
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await allLoaded(page);
    faults.push(...(await accessibilityFaults(page)).map((fault) => `${path}: ${fault}`));
    const wider = await sidewaysScroll(page);
    if (wider > 0) faults.push(`${path}: ${wider} pixels wider than the window`);
  }
  await page.goto(`${site.base}/checks/new?type=DNS`);
  await page.getByLabel("Abzufragender Name").waitFor();
  assert.deepEqual([...faults, ...dashboard.faults], []);
});
