import assert from "node:assert/strict";
import { test } from "node:test";

import { faultsInAllLooks, openDashboard } from "./dashboard.ts";

test("the locations say which are live, and how many checks none of them runs", async () => {
  await using dashboard = await openDashboard({ WATCHPOST_LOCATIONS: "fra:eur" });
  const { page, site } = dashboard;
  const check = { type: "HTTP", target: "http://example.com/", enabled: true };
  await site.api("POST checks", { ...check, runlocations: ["nam"] });
  await site.api("POST checks", { ...check, runlocations: ["eur"] });
  await page.getByRole("link", { name: "Locations" }).click();
  await page.getByText("1 check does not run").waitFor();
  const row = page.getByRole("row", { name: /fra/ });
  await row.getByText("Live").waitFor();
  await row.getByText("Europe").waitFor();
  await page
    .getByRole("row", { name: /Any in: North America/ })
    .getByText("Not live")
    .waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "locations"), []);
  assert.deepEqual(dashboard.faults, []);
});
