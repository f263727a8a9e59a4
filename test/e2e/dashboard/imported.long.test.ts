import assert from "node:assert/strict";
import { test } from "node:test";

import { systemClock } from "../../../src/kit/clock.ts";
import { becomeViewer } from "./as-viewer.ts";
import { allLoaded, faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const hour = 3_600_000;
const day = 24 * hour;

test("a check shows its old addresses, which editors end, and what another system knew of it", async () => {
  await using dashboard = await openSharedDashboard();
  const { page, site } = dashboard;
  const { _id: id } = await site.api("POST checks", { type: "PUSH", label: "Backup" });
  for (const token of ["tIgDC7WDq2", "aBcDefGh12"])
    await site.api("POST heartbeataliases", { id, address: `/api/push/${token}` });
  const end = Math.floor(systemClock.now() / day) * day;
  const start = end - 80 * day;
  await site.api("POST importedhistories", {
    id,
    origin: "uptime-kuma",
    known: [{ start, end }],
    outages: [{ start: start + 9 * day, end: start + 9 * day + 2 * hour, message: "503 there" }],
  });
  await page.goto(`${new URL(page.url()).origin}/checks/${id}`);
  const aliases = page.getByRole("region", { name: "Old addresses", exact: true });
  await aliases.getByText("tIgD…").waitFor();
  await page.getByText("as uptime-kuma knew it").waitFor();
  await page.getByRole("button", { name: "503 there" }).click();
  await page.getByText("Taken over from uptime-kuma, which tells no more of it.").waitFor();
  await page.getByRole("img", { name: /down on one day/ }).waitFor();
  await allLoaded(page);
  assert.deepEqual(await faultsInAllLooks(page, "imported"), []);

  await aliases.getByRole("button", { name: "End tIgD… of uptime-kuma" }).click();
  await page.getByRole("dialog").getByText("refused from then on").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "imported-end"), []);
  await page.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
  await aliases.getByText("tIgD…").waitFor({ state: "detached" });
  const left: readonly { readonly hint: string }[] = Object.values(
    await site.api("GET heartbeataliases"),
  );
  assert.deepEqual(
    left.map(({ hint }) => hint),
    ["aBcD…"],
  );

  await becomeViewer(dashboard);
  await aliases.getByText("aBcD…").waitFor();
  assert.equal(await aliases.getByRole("button").count(), 0);
  assert.deepEqual(dashboard.faults, []);
});
