import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { Page } from "playwright-core";

import { clientPaths, type ClientPath } from "../../../src/domain/dashboard-paths.ts";
import type { Access } from "../../../src/domain/account/access.ts";
import { calledOperations, type CalledOperation } from "../../access/called-operations.ts";
import { closedPort } from "../../peers/tcp.ts";
import { faultsOf, signInAs } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { site } = dashboard;

const { _id: check } = await site.api("POST checks", {
  type: "PUSH",
  label: "Backup",
  tags: ["a"],
});
const { _id: contact } = await site.api("POST contacts", {
  name: "Ben",
  custrole: "notify",
  newaddresses: [{ type: "email", address: "ben@example.com" }],
});
await site.api("POST contactgroups", { name: "On call", members: [contact] });
await site.api("POST notificationprofiles", { name: "Calm", notifications: [] });
await site.api("PUT schedules/Office", { data: { monday: { time1: "8:00", time2: "17:00" } } });
await site.api("POST maintenance", { name: "Move", duration: 5, cron: "0 2 * * *", checklist: [] });
await site.api("POST statuspages", { name: "Shop", sections: [] });
await site.api("POST incidents", { name: "Shop", text: "The cable is cut." });
await site.api("POST tokens", { label: "script", access: "read" });
await site.api("POST accounts", {
  name: "Team",
  contactname: "Tim",
  email: "tim@example.com",
  timezone: "0",
  location: "wlw",
});

await site.api("POST checks", {
  type: "PORT",
  label: "Shop",
  target: "127.0.0.1",
  port: await closedPort(),
  sens: 0,
  enabled: true,
});

/** Content of each loaded page for a read-only user. */
const shownToViewers = {
  "/": /refused/i,
  "/checks": "Backup",
  "/welcome": /You may look/,
  "/checks/new": /You may look/,
  "/checks/:id/edit": /You may look/,
  "/checks/:id": "There is no data yet.",
  "/contacts": "Email ben@example.com",
  "/groups": "Ben",
  "/schedules": "Mon: 8:00 – 17:00",
  "/profiles": "Nobody is alerted.",
  "/maintenance": "No checks",
  "/status-pages": "Who sees it",
  "/incidents": "The cable is cut.",
  "/notifications": /^No alert|Shop/,
  "/locations": "Any region",
  "/subaccounts": "Team",
  "/branding": "Only owners can change this.",
  "/account": "This browser",
  "/settings": "Only an owner sees the settings of the account.",
  "/tokens": "Only an owner sees the tokens of the account.",
  "/audit": "Only an owner sees who changed what.",
} as const satisfies Readonly<Record<ClientPath, string | RegExp>>;

/** Controls that filter or divide the content, or switch accounts; any other control might change something. */
const harmless: readonly RegExp[] = [
  /^(?:searchbox|combobox) "(?:Search checks|Types|Tags|Order)"/,
  /^switch "By tag"/,
  /^button "(?:Down|Paused) \d+"/,
  /^radio "(?:Overall|Phases|Locations|\d+ [hdy])"/,
  /^(?:combobox|textbox) "(?:To|Kind|Outcome|From|Until)"/,
  /^button "(?:Open|Show it elsewhere)"/,
];

type Called = Pick<CalledOperation, "name" | "method" | "path">;

/** Returns the operations that need one of these access levels, as a page would call them. */
function operationsThatNeed(...needed: readonly Access[]): readonly Called[] {
  return calledOperations
    .filter(({ needs }) => needed.includes(needs))
    .map(({ name, method, path }) => ({ name, method, path }));
}

function allRefused(called: readonly Called[]): Record<string, number> {
  return Object.fromEntries(called.map(({ name }) => [name, 403]));
}

/** How a page with the session of its reader is answered. */
async function statusesIn(page: Page, called: readonly Called[]): Promise<Record<string, number>> {
  return page.evaluate(async (all) => {
    const statuses: Record<string, number> = {};
    for (const { name, method, path } of all) {
      const headers = { "content-type": "application/json" };
      const body = method === "GET" ? null : "{}";
      statuses[name] = (await fetch(path, { method, headers, body })).status;
    }
    return statuses;
  }, called);
}

/** Returns the controls of the page's content, by role and name. */
async function controlsOf(page: Page): Promise<readonly string[]> {
  const all = page.locator("main").locator("button, input, textarea, select, [role=button]");
  const controls: string[] = [];
  for (const control of await all.all()) {
    const line = (await control.ariaSnapshot()).split("\n", 1)[0]?.replace("- ", "") ?? "";
    const isText = line.startsWith("textbox");
    const isFixed =
      line.includes("[disabled]") || (isText && (await control.getAttribute("readonly")) !== null);
    if (line !== "" && !isFixed) controls.push(line);
  }
  return controls;
}

async function linksOf(page: Page): Promise<readonly string[]> {
  return page
    .getByRole("navigation", { name: "Main navigation" })
    .getByRole("link")
    .allInnerTexts();
}

test("whoever may only look finds nothing to change on any page", async () => {
  await using context = await signInAs(dashboard, { name: "Vera", custrole: "view" });
  const [page = assert.fail()] = context.pages();
  const faults = faultsOf(page);
  for (const path of clientPaths) {
    await page.goto(`${site.base}${path.replace(":id", check)}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("main").getByText(shownToViewers[path]).first().waitFor();
    const others = (await controlsOf(page)).filter(
      (control) => !harmless.some((pattern) => pattern.test(control)),
    );
    assert.deepEqual(others, [], path);
    const editing = page.locator("main").locator("a[href$='/edit'], a[href*='/checks/new']");
    assert.equal(await editing.count(), 0, path);
  }
  const links = await linksOf(page);
  assert.ok(links.includes("Contacts") && !links.includes("API tokens"), links.join());
  assert.ok(!links.includes("Audit log"), links.join());
  const refused = operationsThatNeed("edit", "owner");
  assert.ok(refused.length > 30);
  assert.deepEqual(await statusesIn(page, refused), allRefused(refused));
  assert.deepEqual(faults, []);
});

test("an editor changes checks, and neither roles nor tokens", async () => {
  await using context = await signInAs(dashboard, { name: "Ed", custrole: "edit" });
  const [page = assert.fail()] = context.pages();
  const faults = faultsOf(page);
  await page.goto(`${site.base}/checks/${check}/edit`);
  await page.getByLabel("Name", { exact: true }).fill("Backup of Ed");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Edit Backup of Ed" }).waitFor();
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByText("Email ben@example.com").waitFor();
  assert.deepEqual(
    (await controlsOf(page)).filter((control) => !control.includes("Send a test message")),
    [],
  );
  const links = await linksOf(page);
  assert.ok(!links.includes("API tokens") && !links.includes("Audit log"), links.join());
  const refused = operationsThatNeed("owner");
  assert.deepEqual(await statusesIn(page, refused), allRefused(refused));
  assert.deepEqual(faults, []);
});

test("an owner finds tokens and the audit log in the navigation", async () => {
  const links = await linksOf(dashboard.page);
  assert.ok(links.includes("API tokens") && links.includes("Audit log"), links.join());
});
