import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import type { Page } from "playwright-core";

import { systemClock } from "../../../src/kit/clock.ts";
import { openContext } from "../../servers/chromium.ts";
import { sharedChromium } from "../../servers/shared-chromium.ts";
import { waitFor } from "../../time/wait-for.ts";
import { start, temporaryFolder, type RunningInstallation } from "../process.ts";
import {
  allLoaded,
  EMAIL,
  faultsInAllLooks,
  faultsOf,
  openDashboard,
  PASSWORD,
} from "./dashboard.ts";
import { fillHistory } from "./fill-history.ts";

const DAYS = 40;

/** A target that is always out of order. */
async function brokenShop(): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(503).end("The kitchen is on fire");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Scene extends AsyncDisposable {
  readonly site: RunningInstallation;
  readonly page: Page;
  readonly faults: readonly string[];
  readonly checkId: string;
}

/** A check that has run for weeks, and is down. */
async function openScene(): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const shop = stack.use(await brokenShop());
  const folder = stack.use(await temporaryFolder());
  const data = join(folder.path, "data");
  const settings = { WATCHPOST_DATA: data };
  let checkId = "";
  let accountId = "";
  let token = "";
  {
    await using first = await openDashboard(settings);
    ({ token } = first.site);
    const made = await first.site.api("POST checks", {
      type: "HTTP",
      label: "Shop",
      target: shop.url,
      interval: 1440,
      description: "Ask the cook",
    });
    ({ _id: checkId, customer_id: accountId } = made);
    await first.site.kill("SIGTERM");
  }
  await fillHistory({
    data,
    accountId,
    checkId,
    days: DAYS,
    now: systemClock.now(),
    everyMinutes: 5,
  });
  const site = stack.use(await start(folder.path, settings, token));
  const context = await openContext(await sharedChromium(), {
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
  });
  stack.defer(() => context.close());
  const page = await context.newPage();
  const faults = faultsOf(page);
  await page.goto(`${site.base}/signin`);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
  const all = stack.move();
  return { site, page, faults, checkId, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

suite("the page of a check", () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene[Symbol.asyncDispose]());

  test("it says why it is down, what was seen, who was alerted, and how it was before", async () => {
    const { page, site, checkId } = scene;
    await page.goto(`${site.base}/checks/GONE`);
    await page.getByText("This does not exist, or not any more.").waitFor();
    // As the links of alerts are.
    await page.goto(`${site.base}/#${checkId}`);
    await page.waitForURL(`${site.base}/checks/${checkId}`);
    await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor();
    await page.getByRole("status").getByText("HTTP status returned: 503").waitFor();
    await page.getByText("Ask the cook").waitFor();
    const chart = page.getByRole("img", { name: /runs, .* failed/ });
    await chart.locator("canvas").waitFor();
    // The outage under way is open at once.
    await page.getByText("The kitchen is on fire").waitFor();
    await page.getByText("192.0.2.1").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: /\(Email\).*ann@example\.com.*delivered/ })
      .waitFor();
    // Just after midnight the outage under way is of two days.
    await page.getByRole("img", { name: /% since .*, down on [23] days/ }).waitFor();
    assert.deepEqual(await faultsInAllLooks(page, "check"), []);

    for (const days of ["7 d", "30 d", "90 d", "1 y"]) {
      await page.getByText(days, { exact: true }).click();
      await chart.locator("canvas").waitFor();
    }
    await page.getByRole("img", { name: /^11,\d{3} runs/ }).waitFor();
    const division = page.getByRole("radiogroup", { name: "Divide by" });
    await division.getByText("Phases").click();
    await page.getByText("First byte").waitFor();
    await division.getByText("Locations").click();
    await page.getByRole("rowheader", { name: "syd" }).waitFor();
    await page.getByRole("button", { name: "Show the figures" }).click();
    await page.getByRole("columnheader", { name: "Longest" }).last().waitFor();
    await page.getByRole("button", { name: "Show the days with outages" }).click();
    await page.getByText(/: down for 3 hrs?$/).waitFor();
    assert.deepEqual(await faultsInAllLooks(page, "check-locations"), []);
    assert.deepEqual(scene.faults, []);
  });

  test("a check that never ran has no data, rather than an uptime", async () => {
    const { page, site } = scene;
    const check = { type: "HTTP", label: "Never run", target: "http://127.0.0.1/" };
    const { _id: id } = await site.api("POST checks", check);
    await page.goto(`${site.base}/checks/${id}`);
    await page.getByRole("img", { name: "No data in the last 90 days." }).waitFor();
    await page.getByRole("cell", { name: "No data" }).first().waitFor();
    await page
      .getByRole("region", { name: "Outages" })
      .getByText("There is no data yet.")
      .waitFor();
    assert.equal(await page.getByText(/\d ?%/).count(), 0);
    await site.api(`DELETE checks/${id}`);
  });

  test("a heartbeat check waits for its first heartbeat and shows the address, then says since when it is up", async () => {
    const { page, site } = scene;
    const { _id: id, parameters } = await site.api("POST checks", {
      type: "PUSH",
      label: "Nightly backup",
      enabled: true,
    });
    const address = `${site.base}/v1/${id}/${parameters.checktoken}`;
    await page.goto(`${site.base}/checks/${id}`);
    await page.getByRole("status").getByText("Waiting for the first heartbeat").waitFor();
    const heartbeats = page.getByRole("region", { name: "Heartbeats" });
    await heartbeats.getByText(address, { exact: true }).waitFor();
    await heartbeats.getByRole("button", { name: "Copy" }).first().waitFor();
    await page.getByText("There is no data yet.").waitFor();
    assert.equal(await page.getByText(/\d ?%/).count(), 0);
    assert.deepEqual(await faultsInAllLooks(page, "check-waiting"), []);

    await fetch(address);
    await page.getByText(/^100% since .*, never down\.$/).waitFor();
    await page.getByText(/^No outages since .*\d\.$/).waitFor();
    await heartbeats.waitFor({ state: "hidden" });
    await page.getByText("Heartbeat address").click();
    await heartbeats.getByText(address, { exact: true }).waitFor();
    await site.api(`DELETE checks/${id}`);
  });

  test("a day of the bars opens its outages, by the pointer and by the keyboard", async () => {
    const { page, site, checkId } = scene;
    await page.goto(`${site.base}/checks/${checkId}`);
    const outages = page.getByRole("region", { name: /^Outages/ });
    const lines = outages.getByRole("heading", { level: 3 });
    await lines.nth(1).waitFor();
    const bad = page.getByRole("img", { name: /% since .*, down on/ }).locator("g[class]");
    // Three hours and one hour: both fill most of the bar, in the color of a long outage.
    const longOutage = bad.first().locator("rect").last();
    assert.equal(await longOutage.getAttribute("fill"), "var(--wp-bar-major)");
    await bad.first().click();
    await page.getByRole("heading", { level: 2, name: /^Outages of / }).waitFor();
    assert.equal(await lines.count(), 1);
    assert.equal(await lines.getByRole("button", { expanded: true }).count(), 1);
    assert.match(await lines.innerText(), /^3 hrs?\b/);
    assert.deepEqual(await faultsInAllLooks(page, "check-day"), []);
    await page.getByRole("button", { name: "Show all outages" }).click();
    await lines.nth(1).waitFor();
    await page.getByRole("button", { name: "Show the days with outages" }).press("Enter");
    await page.getByRole("button", { name: /: down for 3 hrs?$/ }).press("Enter");
    await page.getByRole("heading", { level: 2, name: /^Outages of / }).waitFor();
    assert.equal(await lines.count(), 1);
    assert.deepEqual(scene.faults, []);
  });

  test("a stretch that is marked in the chart fills it, and the whole range comes back", async () => {
    const { page, site, checkId } = scene;
    await page.goto(`${site.base}/checks/${checkId}`);
    await page.getByText("30 d", { exact: true }).click();
    const chart = page.getByRole("img", { name: /^8,\d{3} runs/ });
    await chart.locator("canvas").waitFor();
    // What comes above it later would move it away from the pointer.
    await allLoaded(page);
    const box = await chart.locator(".u-over").boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Whole range" }).waitFor();
    await page.getByRole("img", { name: /^1,7\d{2} runs/ }).waitFor();
    await page.getByRole("button", { name: "Whole range" }).click();
    await chart.waitFor();
  });

  test("an outage is acknowledged on the page, a check muted, paused and resumed", async () => {
    const { page, site, checkId } = scene;
    await page.goto(`${site.base}/checks/${checkId}`);
    await page.getByRole("button", { name: "Acknowledge" }).click();
    const dialog = page.getByRole("dialog", { name: "Acknowledge" });
    await dialog.getByLabel("Note").fill("The fire brigade is on its way");
    assert.deepEqual(await faultsInAllLooks(page, "check-acknowledge"), []);
    await dialog.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("The fire brigade is on its way").waitFor();
    await page.getByRole("button", { name: "Withdraw acknowledgement" }).click();
    await page.getByRole("button", { name: "Acknowledge" }).waitFor();

    const runs = async (): Promise<number> =>
      (
        await site.api(
          `GET results/${checkId}?limit=1000&start=${systemClock.now() - 3_600_000}&clean=1`,
        )
      ).length;
    const before = await runs();
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByText("A run has been started.").waitFor();
    await waitFor("the run", async () => (await runs()) > before || undefined);

    await page.getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByRole("menuitem", { name: "Until tomorrow, 08:00" }).waitFor();
    assert.deepEqual(await faultsInAllLooks(page, "check-mute"), []);
    await page.getByRole("menuitem", { name: "For 30 minutes" }).click();
    await page.getByText(/^Muted until/).waitFor();
    await page.getByRole("button", { name: "Unmute" }).click();
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByRole("menuitem", { name: "Until I unmute" }).click();
    await page.getByText("Muted", { exact: true }).waitFor();
    assert.equal((await site.api(`GET checks/${checkId}`)).mute, true);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    assert.equal((await site.api(`GET checks/${checkId}`)).enable, "inactive");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    // What others change is shown as well.
    await site.api(`PUT checks/${checkId}`, { mute: false });
    await page.getByRole("button", { name: "Mute", exact: true }).waitFor();
    assert.deepEqual(scene.faults, []);
  });
});
