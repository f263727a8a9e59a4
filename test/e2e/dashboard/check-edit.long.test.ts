import assert from "node:assert/strict";
import { after, test } from "node:test";

import { httpPeer } from "../../peers/http.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import { waitFor } from "../../time/wait-for.ts";
import type { CheckRecord } from "../process.ts";
import { becomeViewer } from "./as-viewer.ts";
import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { page, site } = dashboard;

interface LabelledCheck extends CheckRecord {
  readonly label: string;
  readonly type: string;
  readonly enabled: string;
  readonly interval: number;
}

test("a type of check is found by a word of what it is about, and chosen by the keyboard", async () => {
  await page.goto(`${site.base}/checks/new`);
  const search = page.getByLabel("Search for a type of check");
  await search.waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "check-types"), []);
  await search.fill("block list");
  await page.getByRole("button", { name: /^DNS block lists/ }).press("Enter");
  await page.getByLabel(/^Host/).waitFor();
  await page.waitForURL(/type=RBL/);
  await page.getByRole("button", { name: "Choose another type" }).click();
  await search.fill("nothing is called so");
  await page.getByText("No type of check is about that.").waitFor();
});

test("what is wrong is said beside its field, and nothing that was entered is lost", async () => {
  await page.goto(`${site.base}/checks/new?type=HTTPADV`);
  const url = page.getByLabel(/^URL/);
  await url.fill("example.com");
  await page.getByLabel("Text to find").fill("kept");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^Invalid URL, must be one that begins with/).waitFor();
  assert.equal(await url.getAttribute("aria-invalid"), "true");
  assert.equal(await page.locator(":focus").getAttribute("name"), "target");
  await url.fill("https://example.com/");
  // One that is folded away is shown.
  await page.getByRole("button", { name: "More parameters" }).click();
  await page.getByLabel("Client certificate").fill("none");
  await page.getByRole("button", { name: "More parameters" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^Must be a certificate and its private key/).waitFor();
  assert.ok(await page.getByLabel("Client certificate").isVisible());
  assert.deepEqual(await faultsInAllLooks(page, "check-problem"), []);
  assert.equal(await page.getByLabel("Text to find").inputValue(), "kept");
  assert.deepEqual(await site.api("GET checks"), {});
});

test("a check is tried before it is saved: it passes, it fails with what was answered, or nothing is found out", async () => {
  let status = 200;
  await using peer = await httpPeer((_, response) => {
    response.writeHead(status).end("on its way");
  });
  await page.goto(`${site.base}/checks/new?type=HTTP`);
  await page.getByLabel(/^URL/).fill(`${peer.url}/health`);
  const tryIt = page.getByRole("button", { name: "Try it" });
  await tryIt.click();
  await page.getByText(/^It passes, from /).waitFor();
  status = 503;
  await tryIt.click();
  await page.getByText(/^It fails, from /).waitFor();
  await page.getByText("What the target answered").waitFor();
  await page.getByText(/on its way/).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "check-tried"), []);
  // The API of this installation is never asked by a check.
  await page.getByLabel(/^URL/).fill(`${site.base}/api/1/checks`);
  await tryIt.click();
  await page.getByText(/^Nothing was found out/).waitFor();
  assert.deepEqual(await site.api("GET checks"), {});
});

test("who is alerted, where it runs, tags and what it depends on are saved and shown again, and removed", async () => {
  const above = await site.api("POST checks", { type: "PUSH", label: "Router" });
  await page.goto(`${site.base}/checks/new?type=PING`);
  await page.getByLabel(/^Host/).fill("shop.example");
  await page.getByRole("button", { name: "Add a recipient" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Choose a recipient in each row, or remove the row.").waitFor();
  await page.getByRole("combobox", { name: "Recipient 1", exact: true }).click();
  await page.getByRole("option", { name: /ann-\d+@example\.com/ }).click();
  await page.getByLabel("Delay 1, min").fill("5");
  await page.getByRole("button", { name: "More settings" }).click();
  await page.getByRole("combobox", { name: "Runs from", exact: true }).click();
  await page.getByRole("option", { name: "Europe" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Tags" }).fill("shop");
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Depends on" }).click();
  await page.getByRole("option", { name: "Router" }).click();
  await page.getByRole("combobox", { name: "Mute" }).click();
  await page.getByRole("option", { name: "Until somebody ends it" }).click();
  assert.deepEqual(await faultsInAllLooks(page, "check-settings"), []);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The check was created.").waitFor();
  const all: Record<string, { _id: string; label: string }> = await site.api("GET checks");
  const { _id: id } = Object.values(all).find(({ label }) => label === "shop.example") ?? {};
  const made = await site.api(`GET checks/${id}`);
  assert.deepEqual(
    [made.runlocations, made.tags, made.dep, made.mute, made.enabled],
    [["eur"], ["shop"], above._id, true, "active"],
  );
  assert.deepEqual(
    made.notifications.map((entry: object) => Object.values(entry)),
    [[{ schedule: "All", delay: 5 }]],
  );
  await page.goto(`${site.base}/checks/${id}/edit`);
  assert.equal(await page.getByLabel("Delay 1, min").inputValue(), "5");
  await page.getByRole("button", { name: "Remove recipient 1" }).click();
  await page.getByText("The default recipients of the account are notified.").waitFor();
  await page.getByRole("button", { name: "More settings" }).click();
  await waitFor("the name of the check above", async () => {
    return (await page.getByRole("combobox", { name: "Depends on" }).inputValue()) === "Router";
  });
  await page.getByRole("combobox", { name: "Depends on" }).click();
  await page.getByRole("option", { name: "Depends on nothing" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The check was saved.").waitFor();
  const changed = await site.api(`GET checks/${id}`);
  assert.deepEqual([changed.notifications, changed.dep, changed.tags], [[], false, ["shop"]]);
});

test("a check is duplicated with its parameters, and deleted once its name was typed", async () => {
  const parameters = {
    type: "FTP",
    target: "files.example",
    username: "ann",
    password: "hunter22",
  };
  const made = await site.api("POST checks", { ...parameters, label: "Files" });
  await page.goto(`${site.base}/checks/${made._id}/edit`);
  await page.getByRole("link", { name: "Duplicate" }).click();
  await page.getByRole("heading", { name: "Copy of a check" }).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The check was created.").waitFor();
  const all: Readonly<Record<string, LabelledCheck>> = await site.api("GET checks");
  const copy = Object.values(all).find(({ label }) => label === "Files (copy)");
  assert.ok(copy);
  assert.deepEqual(
    [copy.type, copy.parameters.target, copy.parameters.password, copy.enabled],
    ["FTP", "files.example", "hunter22", "inactive"],
  );
  await page.goto(`${site.base}/checks/${copy._id}/edit`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Delete", exact: true });
  await dialog.getByLabel("Type its name to delete it").fill("Files");
  assert.equal(await confirm.isDisabled(), true);
  assert.deepEqual(await faultsInAllLooks(page, "check-delete"), []);
  await dialog.getByLabel("Type its name to delete it").fill("Files (copy)");
  await confirm.click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const left: Record<string, unknown> = await site.api("GET checks");
  assert.deepEqual([copy._id in left, made._id in left], [false, true]);
});

test("a heartbeat check shows the address and lines that report to it, and they do", async () => {
  await page.goto(`${site.base}/checks/new?type=PUSH`);
  await page.getByLabel("Name", { exact: true }).fill("Backup");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { name: "Heartbeats" }).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "check-heartbeat"), []);
  const url = await page.getByLabel("Address", { exact: true }).innerText();
  assert.equal((await fetch(url.trim())).status, 200);
  await page.getByText(/^WATCHPOST_HEARTBEAT_URL=http/).waitFor();
});

test("a newcomer has a check that runs and a test alert in a minute", async () => {
  await using peer = await httpPeer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end("<title>B\u00e4cker &amp; <b>S\u00f6hne</b></title>here");
  });
  await using hook = await receiverPeer();
  await page.goto(`${site.base}/welcome`);
  const target = page.getByLabel("What should be watched?");
  await target.fill("two words");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText(/^Enter a web address/).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "welcome"), []);
  await target.fill(peer.url);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText(/^It passes/).waitFor();
  // From here with the keyboard only: name, interval, and the button.
  const name = page.getByLabel("Name", { exact: true });
  assert.equal(await name.inputValue(), "B\u00e4cker & <b>S\u00f6hne</b>");
  const interval = page.getByLabel("Interval, in minutes");
  assert.equal(await interval.inputValue(), "1");
  assert.deepEqual(await faultsInAllLooks(page, "welcome-found"), []);
  await interval.fill("0.7");
  await interval.press("Enter");
  await page.getByText(/^Must be a whole number/).waitFor();
  await interval.fill("");
  await interval.press("Shift+Tab");
  assert.equal(await interval.inputValue(), "1");
  await interval.fill("2");
  await name.focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" shop");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Where alerts go" }).waitFor();
  assert.equal(await page.evaluate("document.activeElement.ariaLabel"), "Where alerts go");
  assert.ok(!page.url().includes("127.0.0.1%") && !page.url().includes(new URL(peer.url).port));
  await page.reload();
  await page.getByLabel("Another address for alerts").fill(`${hook.url}/alerts`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText(`${hook.url}/alerts`).waitFor();
  await page.getByRole("button", { name: "Send a test alert" }).click();
  await page.getByText(/: accepted$/).waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "welcome-alerts"), []);
  assert.ok(hook.requests.some(({ body }) => /test/i.test(body)));
  await page.getByRole("button", { name: "Go on", exact: true }).click();
  const done = page.getByText(
    "B\u00e4cker & <b>S\u00f6hne</b> shop is set up and runs every 2 minutes.",
  );
  await done.waitFor();
  await page.reload();
  await done.waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "welcome-done"), []);
  await page.goBack();
  await page.getByRole("button", { name: "Send a test alert" }).waitFor();
  await page.goForward();
  await done.waitFor();
  const all: Readonly<Record<string, LabelledCheck>> = await site.api("GET checks");
  const made = Object.values(all).find(({ parameters }) => parameters.target === `${peer.url}/`);
  assert.ok(made);
  assert.deepEqual([made.enabled, made.interval], ["active", 2]);
  await waitFor("its first result", async () => (await site.api(`GET checks/${made._id}`)).state);
  assert.deepEqual(dashboard.faults, []);
});

test("who may only look gets no form for a check, and no newcomer's guide", async () => {
  const { _id: id } = await site.api("POST checks", { type: "PING", target: "shop.example" });
  await becomeViewer(dashboard);
  for (const path of ["checks/new", `checks/${id}/edit`, "welcome"]) {
    await page.goto(`${site.base}/${path}`);
    await page.getByText("You may look at checks, and not change them.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  }
  assert.deepEqual(await faultsInAllLooks(page, "check-viewer"), []);
});
