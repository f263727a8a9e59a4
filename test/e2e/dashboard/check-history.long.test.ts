import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";

import { openScene, type Scene } from "./check-scene.ts";
import { allLoaded, faultsInAllLooks } from "./dashboard.ts";

suite("the history on the page of a check", () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene[Symbol.asyncDispose]());

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
    // Content loaded above it later would move it.
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
});
