import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closedPort } from "../../peers/tcp.ts";
import { waitFor } from "../../time/wait-for.ts";
import { faultsInAllLooks, openDashboard } from "../dashboard/dashboard.ts";

const ending = new AsyncDisposableStack();
after(() => ending.disposeAsync());
const dashboard = ending.use(await openDashboard());
const { page, site } = dashboard;
const { _id: shop } = await site.api("POST checks", {
  type: "PORT",
  label: "secret label",
  target: "127.0.0.1",
  port: await closedPort(),
  sens: 0,
  enabled: true,
});
const publicPage = async (): Promise<string> => (await fetch(`${site.base}/status/shop`)).text();

test("nothing is posted while there is no status page: the button adds one", async () => {
  await page.goto(`${site.base}/incidents`);
  await page.getByText("You have no status page yet.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Post an incident" }).count(), 0);
  await page.getByRole("button", { name: "Add a status page" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Our shop");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Post an incident" }).first().waitFor();
  const all: Record<string, { _id: string }> = await site.api("GET statuspages");
  const [made] = Object.values(all);
  const sections = [{ name: "Web", checks: [{ id: shop, name: "Checkout" }] }];
  await site.api(`PUT statuspages/${made?._id}`, { slug: "shop", sections });
});

test("an incident is kept as a draft, posted, updated, corrected, resolved and deleted", async () => {
  await page.goto(`${site.base}/incidents`);
  await page.getByRole("button", { name: "Post an incident" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What happens, in a few words").fill("Payments fail");
  await dialog
    .getByLabel("Text", { exact: true })
    .fill("We **look** at it.\n\n- cards\n- <b>cash</b>");
  const preview = dialog.getByRole("group", { name: "Preview of Text" });
  await preview.locator("strong", { hasText: "look" }).waitFor();
  await preview.getByText("<b>cash</b>").waitFor();
  await dialog.getByLabel("Our shop (shop)").check();
  await dialog.getByLabel("Checkout (Our shop, Web)").check();
  await dialog.getByLabel("Keep it as a draft, which only you see").check({ force: true });
  assert.deepEqual(await faultsInAllLooks(page, "incidents-form"), []);
  await dialog.getByRole("button", { name: "Save the draft" }).click();
  const card = page.getByRole("region", { name: "Payments fail" });
  await page.getByRole("region", { name: "Drafts, which only you see" }).waitFor();
  assert.doesNotMatch(await publicPage(), /Payments fail/);
  await card.getByRole("button", { name: "Post", exact: true }).click();
  await page.getByRole("region", { name: "Not over" }).waitFor();
  assert.match(await publicPage(), /Payments fail[^]*Affected: Checkout/);
  await card.getByRole("button", { name: "Add an update" }).click();
  await dialog.getByLabel("Stage").selectOption({ label: "Identified" });
  await dialog.getByLabel("Text", { exact: true }).fill("A cabel.");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await card.getByText("1 earlier update").waitFor();
  await card.getByRole("button", { name: "Correct" }).first().click();
  await dialog.getByLabel("Text", { exact: true }).fill("A cable.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await card.getByText("A cable.").waitFor();
  await card.getByRole("button", { name: "Add an update" }).click();
  await dialog.getByLabel("Text", { exact: true }).fill("Of another incident.");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await card.getByText("2 earlier updates").waitFor();
  await card.getByRole("button", { name: "Delete this update?" }).first().click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await card.getByText("1 earlier update").waitFor();
  assert.doesNotMatch(await publicPage(), /Of another incident/);
  assert.deepEqual(await faultsInAllLooks(page, "incidents"), []);
  await card.getByRole("button", { name: "Add an update" }).click();
  await dialog.getByLabel("Stage").selectOption({ label: "Resolved" });
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await card.getByText("2 earlier updates").waitFor();
  await page.getByRole("region", { name: "Not over" }).waitFor({ state: "detached" });
  await card.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nothing has been posted yet.").waitFor();
  assert.deepEqual(dashboard.faults, []);
});

test("a maintenance that is announced begins by itself at its time", async () => {
  await page.goto(`${site.base}/incidents`);
  await page.getByRole("button", { name: "Post an incident" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What it is").selectOption({ label: "Maintenance" });
  await dialog.getByLabel("What happens, in a few words").fill("New database");
  await dialog.getByLabel("Begins", { exact: true }).fill("2020-01-01T10:00");
  await dialog.getByLabel("Ends", { exact: true }).fill("2099-01-01T10:00");
  assert.deepEqual(await faultsInAllLooks(page, "incidents-maintenance"), []);
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  const card = page.getByRole("region", { name: "New database" });
  await card.waitFor();
  await waitFor("it has begun", async () =>
    JSON.stringify(await site.api("GET incidents")).includes('"inprogress"'),
  );
  await page.reload();
  await card.getByText("1 earlier update").waitFor();
});

test("a maintenance of checks is announced with what is planned", async () => {
  await site.api("POST maintenance", {
    name: "Move the database",
    start: "2099-01-02 10:00:00",
    duration: 90,
    checklist: [shop],
    enabled: true,
  });
  await page.goto(`${site.base}/incidents`);
  await page.getByRole("button", { name: "Post an incident" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What it is").selectOption({ label: "Maintenance" });
  await dialog
    .getByLabel("Maintenance of checks that is announced")
    .selectOption({ label: "Move the database" });
  assert.equal(
    await dialog.getByLabel("What happens, in a few words").inputValue(),
    "Move the database",
  );
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  const card = page.getByRole("region", { name: "Move the database" });
  await card.getByText("Affected: Checkout").waitFor();
  assert.match(await publicPage(), /Move the database/);
});

test("from the card of a check that is down an incident is posted about it", async () => {
  await page.goto(`${site.base}/`);
  const card = page.getByRole("article", { name: "secret label" });
  await card.getByRole("button", { name: "Post an incident" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What happens, in a few words").fill("Checkout fails");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  const shown = await publicPage();
  assert.match(shown, /Checkout fails[^]*Affected: Checkout/);
  assert.doesNotMatch(shown, /secret/);
  assert.deepEqual(dashboard.faults, []);
});

test("a page is set up in the dashboard to have an outage open an incident", async () => {
  await page.goto(`${site.base}/status-pages`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel("When one of its checks is down")
    .selectOption({ label: "An incident is posted, and resolved when it is over" });
  await dialog.getByLabel("Minutes for which it is down before that").fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await waitFor("it is posted", async () => (await publicPage()).includes("Outage: Checkout"));
  assert.doesNotMatch(await publicPage(), /secret|refused/i);
});
