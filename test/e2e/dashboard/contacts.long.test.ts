import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

async function chooseReceiver(page: Page, typed: string, name: string): Promise<void> {
  const receiver = page.getByRole("combobox", { name: "Receiver" });
  await receiver.fill(typed);
  await page.getByRole("option", { name, exact: true }).waitFor();
  await receiver.press("ArrowDown");
  await receiver.press("Enter");
}

test("a contact is added with an address, tested, changed and deleted, and who may only view sees it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("button", { name: "Add a contact" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ben");
  await chooseReceiver(page, "webh", "Webhook");
  await page.getByLabel("URL", { exact: true }).fill("no address");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText(/must be|http/i)
    .first()
    .waitFor();
  assert.equal(await page.getByLabel("URL", { exact: true }).inputValue(), "no address");
  assert.deepEqual(await faultsInAllLooks(page, "contacts-add"), []);
  await page.getByLabel("URL", { exact: true }).fill("https://example.invalid/hook");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const ben = page.getByRole("region", { name: "Ben" });
  await ben.getByText("Alerts go there").waitFor();

  await ben.getByRole("button", { name: "Send a test message" }).click();
  await dialog.getByText(/Webhook https:\/\/example\.invalid\/hook did not/).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();

  await ben.getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("No alerts of recoveries").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await ben.getByText("Some alerts go there").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "contacts"), []);

  const contacts = await site.api("GET contacts");
  const id = Object.keys(contacts).find((each) => contacts[each].name === "Ben") ?? "";
  await site.api("POST contactgroups", { name: "On call", members: [id] });
  await ben.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("1 group: On call").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await ben.waitFor({ state: "detached" });

  await becomeViewer(dashboard);
  await page.getByRole("region", { name: "Owner" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Add|Edit|Delete|Actions/ }).count(), 0);
  assert.deepEqual(dashboard.faults, []);
});

test("a service is found by its name, asks for what it needs, and keeps its credentials", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("button", { name: "Add a contact" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ops");
  const receiver = page.getByRole("combobox", { name: "Receiver" });
  await receiver.click();
  for (const group of ["Chat", "On-call", "Push", "SMS and voice", "Your own program"])
    await page.getByText(group, { exact: true }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "contacts-receivers"), []);
  await chooseReceiver(page, "telegr", "Telegram");
  await page.getByLabel("Chat ID").fill("our chat");
  const token = page.getByLabel("Bot token");
  await token.fill("1:s3cret");
  assert.equal(await token.getAttribute("type"), "password");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/must be text such as -1001234567890/i).waitFor();
  assert.equal(await page.getByLabel("Chat ID").getAttribute("aria-invalid"), "true");
  assert.deepEqual(await faultsInAllLooks(page, "contacts-service"), []);
  await page.getByLabel("Chat ID").fill("-100");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const ops = page.getByRole("region", { name: "Ops" });
  await ops.getByText("Telegram", { exact: true }).waitFor();
  await ops.getByText("-100").waitFor();

  const stored = async (): Promise<{ readonly id: string; readonly address: string }> => {
    const contacts = await site.api("GET contacts");
    const id = Object.keys(contacts).find((each) => contacts[each].name === "Ops") ?? "";
    const [address] = Object.values<{ address: string }>(contacts[id].addresses);
    return { id, address: address?.address ?? "" };
  };
  const { id, address } = await stored();
  const { addresses } = await site.api(`GET contacts/${id}`);
  const [addressId = ""] = Object.keys(addresses);
  await site.api(`PUT contacts/${id}`, {
    addresses: { [addressId]: { address: `${address}&disable_notification=true` } },
  });
  await page.reload();
  await ops.getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  assert.equal(await token.inputValue(), "");
  assert.equal(await page.getByLabel("Chat ID").inputValue(), "-100");
  assert.deepEqual(await faultsInAllLooks(page, "contacts-service-edit"), []);
  await page.getByLabel("Chat ID").fill("-200");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await ops.getByText("-200").waitFor();
  assert.equal(
    (await stored()).address,
    "https://api.telegram.org/bot1:s3cret/sendMessage?chat_id=-200&disable_notification=true",
  );
  assert.equal((await page.content()).includes("s3cret"), false);
  await page.goto(`${site.base}/settings`);
  await page.getByLabel("Ops (Telegram -200)").waitFor();
  assert.equal((await page.content()).includes("s3cret"), false);
  assert.deepEqual(dashboard.faults, []);
});

test("a stored credential that is optional is removed in the form", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const settings = { server: "https://ntfy.example.invalid", topic: "alerts", token: "tk_s3cret" };
  const { _id: id } = await site.api("POST contacts", {
    name: "Ops",
    newaddresses: [{ service: "ntfy", settings }],
  });
  await page.getByRole("link", { name: "Contacts" }).click();
  const ops = page.getByRole("region", { name: "Ops" });
  await ops.getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const token = page.getByRole("textbox", { name: "Access token" });
  const remove = page.getByLabel("Access token: remove the stored value");
  await remove.waitFor();
  assert.equal(await page.getByLabel(/remove the stored value/).count(), 1);
  await token.fill("tk_other");
  await remove.check();
  assert.equal(await token.inputValue(), "");
  assert.equal(await token.isDisabled(), true);
  assert.deepEqual(await faultsInAllLooks(page, "contacts-credential-removed"), []);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { addresses } = await site.api(`GET contacts/${id}`);
  const [address] = Object.values<{ address: string; settings: object }>(addresses);
  assert.equal(address?.address, "https://ntfy.example.invalid/alerts");
  assert.deepEqual(address.settings, { server: settings.server, topic: settings.topic });
  assert.deepEqual(dashboard.faults, []);
});

test("a test message is sent from the form, and its result is said in words", async () => {
  await using dashboard = await openSharedDashboard();
  const { page } = dashboard;
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("button", { name: "Add a contact" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Phones");
  await chooseReceiver(page, "gotify", "Gotify");
  await page.getByLabel("Server").fill("https://gotify.example.invalid");
  await page.getByLabel("Application token").fill("AbCdEfGh.iJ_kLm");
  await page.getByRole("button", { name: "Save and send test" }).click();
  const result = page.getByRole("dialog").getByRole("status");
  await result.getByText(/Gotify https:\/\/gotify\.example\.invalid did not/).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "contacts-tested"), []);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("region", { name: "Phones" }).getByText("Gotify", { exact: true }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});
