import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";

import { systemClock } from "../../../src/kit/clock.ts";
import { waitFor } from "../../time/wait-for.ts";
import { openScene, type Scene } from "./check-scene.ts";
import { faultsInAllLooks } from "./dashboard.ts";

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
    // Changes by others are shown too.
    await site.api(`PUT checks/${checkId}`, { mute: false });
    await page.getByRole("button", { name: "Mute", exact: true }).waitFor();
    assert.deepEqual(scene.faults, []);
  });
});
