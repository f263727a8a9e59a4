import assert from "node:assert/strict";
import { test } from "node:test";

import { smtpPeer } from "../../peers/smtp.ts";
import { openContext } from "../../servers/chromium.ts";
import { waitFor } from "../../time/wait-for.ts";
import { faultsInAllLooks, openDashboard } from "../dashboard/dashboard.ts";

test("a reader subscribes to a status page without a script, and its owner sees that, adds a webhook and deletes it", async () => {
  await using server = await smtpPeer();
  await using dashboard = await openDashboard({
    WATCHPOST_SMTP_URL: server.url,
    WATCHPOST_MAIL_FROM: "Watchpost <watchpost@example.org>",
  });
  const { page, site, browser } = dashboard;
  const look = { color: "#a21caf", footer: "The Shop Ltd" };
  await site.api("POST statuspages", { name: "Shop", slug: "shop", ...look });
  await using context = await openContext(browser, { locale: "en-GB", javaScriptEnabled: false });
  const reader = await context.newPage();
  await reader.goto(`${site.base}/status/shop`);
  await reader.getByRole("link", { name: "Get updates by mail" }).click();
  await reader.getByLabel("Mail address").fill("ann@example.net");
  await reader.getByRole("button", { name: "Subscribe" }).click();
  await reader.getByText("a mail is on its way").waitFor();
  await reader.getByRole("link", { name: "Back to the page" }).click();
  await reader.getByRole("heading", { name: "Shop" }).waitFor();
  const raw = await waitFor("a mail", () => server.mails[0]?.raw);
  const text = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [link = ""] = /http\S+for=confirm\S+/.exec(text) ?? [];
  const { pathname, search } = new URL(link);
  await reader.goto(`${site.base}${pathname}${search}`);
  await reader.getByRole("button", { name: "Send me updates" }).click();
  await reader.getByText("Updates of Shop are sent to ann@example.net").waitFor();

  await page.goto(`${site.base}/status-pages`);
  await page.getByRole("button", { name: "Subscribers of Shop" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 subscriber.").waitFor();
  await dialog.getByText("ann@example.net").waitFor();
  await dialog.getByLabel("URL or mail address").fill("nothing");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("must be a URL").waitFor();
  await dialog.getByLabel("URL or mail address").fill("https://hooks.example.com/status");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("2 subscribers, 1 of them a webhook.").waitFor();
  await dialog.getByText("whsec_").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "subscribers"), []);
  await dialog.getByRole("button", { name: "Delete https://hooks.example.com/status" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByText("1 subscriber.").waitFor();
  assert.deepEqual(dashboard.faults, []);

  const looking = await dashboard.context.newPage();
  for (const [path, name] of [
    ["/status/shop/subscribe", "subscribe"],
    [`${pathname}${search.replace("for=confirm", "for=stop")}`, "subscription-not-found"],
    [`${pathname}${search}`, "subscription-confirmed"],
  ] as const) {
    await looking.goto(`${site.base}${path}`);
    assert.deepEqual(await faultsInAllLooks(looking, name), [], name);
  }
});
