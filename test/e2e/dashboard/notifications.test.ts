import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../time/wait-for.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

interface Alert {
  readonly status: string;
  readonly attempts: number;
  readonly reason?: string;
}

test("the log says of each alert whom it was for and what became of it, and why", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByRole("link", { name: "Alert log" }).click();
  await page.getByText("No alert was sent yet.").waitFor();
  const { _id: contact } = await site.api("POST contacts", {
    name: "Ben",
    custrole: "notify",
    newaddresses: [
      { type: "webhook", address: "http://127.0.0.1:9/hook" },
      {
        service: "Gotify",
        settings: { server: "https://gotify.example.invalid", token: "AbCdEfGh.iJ_kLm" },
      },
      { type: "email", address: "ben@example.com", suppressall: true },
      { type: "email", address: "night@example.com", mute: true },
    ],
  });
  const check = await site.api("POST checks", {
    type: "PUSH",
    label: "Backup",
    enabled: true,
    fields: { a: { name: "load", min: 0, max: 1 } },
    notifications: [{ [contact]: "All" }],
  });
  await site.push(check._id, check.parameters.checktoken, { load: 5 });
  await waitFor("each alert is decided", async () => {
    const alerts: readonly Alert[] = await site.api("GET notifications?dropped=1&detail=1");
    return (
      alerts.length === 4 &&
      alerts.every(
        ({ status, attempts, reason }) =>
          status === "dropped" || reason === "address_muted" || attempts > 0,
      )
    );
  });
  await page.reload();
  await page.getByText("Not sent: the address suppresses all messages").waitFor();
  await page.getByText("To Ben (ben@example.com)").waitFor();
  await page.getByText("To Ben (Gotify)").waitFor();
  await page.getByText("until the address is unmuted").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "notifications"), []);

  await page.getByLabel("Outcome").selectOption("dropped");
  await page.getByText("To Ben (http://127.0.0.1:9/hook)").waitFor({ state: "detached" });
  await page.waitForURL(/notifications\?status=dropped$/);
  await page.reload();
  await page.getByText("Not sent: the address suppresses all messages").waitFor();
  assert.equal(await page.getByLabel("Outcome").inputValue(), "dropped");
  await page.getByLabel("Kind").selectOption("up");
  await page.getByText("No alert is as wanted.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("To Ben (http://127.0.0.1:9/hook)").first().waitFor();
  assert.deepEqual(dashboard.faults, []);
});
