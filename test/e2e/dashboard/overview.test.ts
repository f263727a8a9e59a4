import assert from "node:assert/strict";
import { test } from "node:test";

import { systemClock } from "../../../src/kit/clock.ts";
import { closedPort } from "../../peers/tcp.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("the overview says that nothing is down, and can be read by everybody", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByText("There are no checks yet.").waitFor();
  await site.api("POST checks", { type: "PUSH", label: "Backup\u202Egnp.exe", enabled: "active" });
  await page.getByRole("gridcell", { name: /^Backupgnp.exe/ }).waitFor();
  await page.getByRole("heading", { name: "Nothing is down" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview"), []);
  await page.getByRole("button", { name: /owner|Your account/i }).click();
  await page.getByRole("menuitem", { name: "Deutsch" }).click();
  await page.getByRole("heading", { name: "Übersicht" }).waitFor();
  await page.getByRole("heading", { name: "Nichts ist ausgefallen" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview-de"), []);
  assert.deepEqual(dashboard.faults, []);
});

test("what goes down is a card at once, with who was alerted, and is acknowledged, muted and held there", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByText("There are no checks yet.").waitFor();
  const target = "127.0.0.1";
  const common = { type: "PORT", target, sens: 0, enabled: true, notifications: [] };
  const { _id: id } = await site.api("POST checks", {
    ...common,
    label: "Shop",
    port: await closedPort(),
    tags: ["web"],
  });
  const card = page.getByRole("article", { name: "Shop" });
  await card.getByText(/refused/i).waitFor();
  await page.getByRole("heading", { name: /^1 of 1 down, longest/ }).waitFor();
  const { _id: job, parameters } = await site.api("POST checks", {
    type: "PUSH",
    label: "Backup",
    sens: 0,
    enabled: true,
  });
  await fetch(`${site.base}/v1/${job}/${parameters.checktoken}/fail`);
  const reporting = page.getByRole("article", { name: "Backup" });
  await reporting.getByRole("button", { name: "Acknowledge" }).waitFor();
  assert.equal(await reporting.getByRole("button", { name: "Run now" }).count(), 0);
  await card.getByRole("button", { name: "Run now" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview-down"), []);
  const all = page.getByRole("button", { name: "Acknowledge all" });
  await all.click();
  await reporting.getByText(/^Acknowledged by/).waitFor();
  await all.waitFor({ state: "detached" });
  await site.api(`POST checks/acknowledge/${id}?acknowledge=false`);
  await site.api(`DELETE checks/${job}`);
  await reporting.waitFor({ state: "detached" });
  await card.getByRole("button", { name: "Acknowledge" }).click();
  await card.getByText(/^Acknowledged by/).waitFor();
  await card.getByRole("button", { name: "Mute" }).click();
  await page.getByRole("menuitem", { name: /^Until tomorrow, 0?8:00/ }).waitFor();
  await page.getByRole("menuitem", { name: "For 2 hours" }).click();
  await card.getByRole("button", { name: "Unmute" }).waitFor();
  await page.getByRole("heading", { name: /^1 of 1 down, .* · 1 check is muted$/ }).waitFor();
  const { mute, acknowledged } = await site.api(`GET checks/${id}`);
  assert.ok(typeof mute === "number" && acknowledged !== undefined);
  const minutesLeft = (mute - systemClock.now()) / 60_000;
  assert.ok(minutesLeft > 60 && minutesLeft <= 120, `${minutesLeft} minutes`);
  assert.deepEqual(await faultsInAllLooks(page, "overview-muted"), []);
  await card.getByRole("button", { name: "Maintenance, 1 hour" }).click();
  await page.getByRole("heading", { name: "Nothing is down" }).waitFor();
  await page.getByRole("row", { name: /Maintenance.*Shop/ }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});

const MAX_BYTES = 250_000;

test("the first screen of a browser that has nothing of it yet is small", async () => {
  await using dashboard = await openSharedDashboard();
  const { context, site } = dashboard;
  await site.api("POST checks", { type: "PUSH", label: "Backup" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const paths = new Map<string, string>();
  const sizes = new Map<string, number>();
  session.on("Network.responseReceived", ({ requestId, response }) => {
    paths.set(requestId, new URL(response.url).pathname);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? "";
    if (path.startsWith("/assets/")) sizes.set(path, encodedDataLength);
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(site.base);
  await page.getByText("Backup").first().waitFor();
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 100_000 && bytes <= MAX_BYTES, `${bytes} bytes in ${sizes.size} files`);
});
