import assert from "node:assert/strict";
import { test } from "node:test";

import { headerOf, smtpPeer } from "../../peers/smtp.ts";
import { webServer } from "../../peers/web-server.ts";
import { waitFor } from "../../time/wait-for.ts";
import { EMAIL, faultsInAllLooks, openDashboard } from "./dashboard.ts";

test("from the link of the first start to a check that goes down, is alerted, and recovers", async () => {
  await using web = await webServer();
  await using smtp = await smtpPeer();
  await using dashboard = await openDashboard({
    WATCHPOST_SMTP_URL: smtp.url,
    WATCHPOST_MAIL_FROM: "Watchpost <watch@example.net>",
  });
  const { page, site } = dashboard;
  await page.emulateMedia({ reducedMotion: "no-preference" });

  await page.getByRole("link", { name: "Set up the first check" }).click();
  await page.getByLabel("What should be watched?").fill(web.url);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText(/^It passes/).waitFor();
  await page.reload();
  assert.equal(await page.getByLabel("What should be watched?").inputValue(), web.url);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText(/^It passes/).waitFor();
  // The saved value is the entered one.
  await page.getByLabel("What should be watched?").fill(`${web.url}shop`);
  await page.getByRole("button", { name: "Watch it", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText(/^It passes/).waitFor();
  assert.equal(await page.getByLabel("Interval, in minutes").inputValue(), "1");
  const name = page.getByLabel("Name", { exact: true });
  assert.equal(await name.inputValue(), `${new URL(web.url).host}/shop`);
  await name.fill("Shop");
  await page.getByRole("button", { name: "Watch it", exact: true }).click();
  await page.getByText(EMAIL).waitFor();
  assert.equal(
    await page.evaluate(
      "Object.keys(sessionStorage).filter((key) => key.startsWith('watchpost-draft/')).length",
    ),
    0,
  );
  await page.getByRole("button", { name: "Send a test alert" }).click();
  await page.getByText(/: accepted$/).waitFor();
  await page.getByRole("button", { name: "Go on", exact: true }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Overview" }).click();
  await page.getByText("Everything is up").waitFor();

  web.status = 500;
  await page.getByRole("link", { name: /^Shop/ }).click();
  await page.getByRole("button", { name: "Run now" }).click();
  await page
    .getByText(/HTTP status returned: 500/)
    .first()
    .waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Overview" }).click();
  await page.getByText(/^1 of 1 down/).waitFor();
  const about = (state: RegExp): string | undefined =>
    smtp.mails.find(({ raw }) => state.test(String(headerOf(raw, "subject"))))?.raw;
  const down = await waitFor("the mail that it is down", () => about(/^\[DOWN\]/));
  assert.equal(headerOf(down, "to"), EMAIL);
  await page.getByText("Owner (Email): sent").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "newcomer-down"), []);

  web.status = 200;
  const [id] = Object.keys(await site.api("GET checks"));
  await waitFor("a run that is allowed again finds it up", async () => {
    await site.api(`POST checks/run/${id}`).catch(() => {});
    return page.getByText("Everything is up").isVisible();
  });
  await waitFor("the mail that it is up", () => about(/^\[UP after/));
  assert.deepEqual(dashboard.faults, []);
});
