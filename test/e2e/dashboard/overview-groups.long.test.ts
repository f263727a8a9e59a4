import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";

import { closedPort } from "../../peers/tcp.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

test("many checks that are down are grouped by host and cause, and the last 24 hours are told once all is up", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByText("There are no checks yet.").waitFor();
  const port = await closedPort();
  const common = { type: "PORT", target: "127.0.0.1", port, sens: 0, enabled: true };
  const ids: string[] = [];
  for (const label of ["Orders", "Invoices", "Stock", "Search", "Mail", "Login", "Reports"])
    ids.push((await site.api("POST checks", { ...common, label, notifications: [] }))._id);
  const group = page.getByRole("article", { name: "127.0.0.1: 7 checks" });
  await group.getByText(/refused/i).waitFor();
  assert.equal(await page.getByRole("article").count(), 1);
  const activity = page.getByRole("region", { name: "Last 24 hours" });
  await activity.getByText("7 outages, longest").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview-group"), []);
  await group.getByRole("button", { name: "Show checks" }).focus();
  await page.keyboard.press("Enter");
  await group.getByRole("link", { name: "Invoices" }).waitFor();
  await group.getByRole("button", { name: "Acknowledge 7" }).click();
  await group.getByText("7 of 7 acknowledged").waitFor();
  await group
    .getByText(/ · Acknowledged by/)
    .first()
    .waitFor();
  await activity.getByText(/^7 checks acknowledged by/).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview-group-open"), []);
  await using _server = await listening(port);
  for (const id of ids) await site.api(`POST checks/run/${id}`);
  await page.getByRole("heading", { name: "Everything is up" }).waitFor();
  await activity
    .getByText(/checks? up after|^Up after/)
    .first()
    .waitFor();
  await activity.getByText(/^7 outages, longest/).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview-last-day"), []);
  await page.getByRole("button", { name: /owner|Your account/i }).click();
  await page.getByRole("menuitem", { name: "Deutsch" }).click();
  await page.getByRole("region", { name: "Letzte 24 Stunden" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "overview-last-day-de"), []);
  assert.deepEqual(dashboard.faults, []);
});

async function listening(port: number): Promise<AsyncDisposable> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}
