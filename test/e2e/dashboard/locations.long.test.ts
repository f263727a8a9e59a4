import assert from "node:assert/strict";
import { test } from "node:test";

import { createSealer } from "../../../src/kit/crypto/seal.ts";
import { deriveLocationKey } from "../../../src/bus/location-key.ts";
import { nam, probeAt } from "../../harnesses/nats-harness.ts";
import { INSTANCE_KEY } from "../../harnesses/remote-locations.ts";
import { nats } from "../../servers/nats.ts";
import { waitFor } from "../../time/wait-for.ts";
import { faultsInAllLooks, openDashboard, signInAs } from "./dashboard.ts";

test("the locations say which are live, and how many checks none of them runs", async () => {
  await using dashboard = await openDashboard({ WATCHPOST_LOCATIONS: "fra:eur" });
  const { page, site } = dashboard;
  const check = { type: "HTTP", target: "http://example.com/", enabled: true };
  await site.api("POST checks", { ...check, runlocations: ["nam"] });
  await site.api("POST checks", { ...check, runlocations: ["eur"] });
  await page.getByRole("link", { name: "Locations" }).click();
  await page.getByText("1 check does not run").waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "fra" });
  await row.getByText("Live").waitFor();
  await row.getByText("Europe").waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Any in: North America" })
    .getByText("Not live")
    .waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "locations"), []);
  assert.deepEqual(dashboard.faults, []);
});

test("the owner has a location forgotten that is gone, and nobody else is offered it", async () => {
  await using broker = await nats();
  await using dashboard = await openDashboard({
    WATCHPOST_LOCATION: "home",
    WATCHPOST_REGION: "eur",
    WATCHPOST_NATS_URL: broker.url,
    WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
  });
  const { page, site } = dashboard;
  const instance = createSealer(Buffer.from(INSTANCE_KEY, "hex"));
  const probe = probeAt(broker, { location: "ny", key: deriveLocationKey(instance, "ny", nam) });
  const stateOfNy = async () => (await site.api("GET info/status")).locations.ny;
  await waitFor("it is remembered", async () => (await stateOfNy())?.first_seen !== undefined);
  await probe.close();
  await waitFor("it is gone", async () => (await stateOfNy()).live === false);

  await page.getByRole("link", { name: "Locations" }).click();
  const row = page.getByRole("listitem").filter({ hasText: /^ny/ });
  await row.getByText("Version 1.2.3").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "location-gone"), []);
  const editor = await signInAs(dashboard, { name: "Eve", custrole: "edit" });
  const elsewhere = await editor.newPage();
  await elsewhere.goto(page.url());
  await elsewhere.getByRole("listitem").filter({ hasText: /^ny/ }).getByText("Not live").waitFor();
  assert.equal(await elsewhere.getByRole("button", { name: "Forget ny" }).count(), 0);

  const forget = row.getByRole("button", { name: "Forget ny" });
  await forget.click();
  const dialog = page.getByRole("dialog", { name: "Forget the location ny?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await forget.click();
  assert.deepEqual(await faultsInAllLooks(page, "location-forget"), []);
  await dialog.getByRole("button", { name: "Forget" }).click();
  await page.getByText("ny is forgotten").waitFor();
  await row.waitFor({ state: "detached" });
  assert.equal(await stateOfNy(), undefined);
  assert.deepEqual(dashboard.faults, []);
});
