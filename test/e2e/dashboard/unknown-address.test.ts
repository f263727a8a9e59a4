import assert from "node:assert/strict";
import { after, test } from "node:test";

import { faultsInAllLooks } from "./dashboard.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { page, site } = dashboard;
const BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

test("a browser gets a page for an unknown address, with a way home", async () => {
  const response = await page.goto(`${site.base}/nothing/here?token=secret`);
  assert.equal(response?.status(), 404);
  await page.getByText("There is no page at this address.").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "unknown-address"), []);
  await page.getByRole("link", { name: "Go to the overview" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test("it is in the language of the browser", async () => {
  const headers = { accept: BROWSER, "accept-language": "fr, de-AT;q=0.8, en;q=0.5" };
  const response = await fetch(`${site.base}/nothing`, { headers });
  assert.equal(response.status, 404);
  const html = await response.text();
  assert.match(html, /<html lang="de">/);
  assert.match(html, /Unter dieser Adresse gibt es keine Seite\./);
});

test("every other client gets JSON, and so does everybody from the API", async () => {
  const asked = [
    { path: "/nothing", accept: "*/*" },
    { path: "/nothing", accept: "application/json" },
    { path: "/api/2/checks", accept: BROWSER },
    { path: "/nothing", accept: BROWSER, method: "POST" },
  ];
  for (const { path, accept, method = "GET" } of asked) {
    const response = await fetch(`${site.base}${path}`, { method, headers: { accept } });
    assert.equal(response.status, 404, path);
    assert.deepEqual(await response.json(), { error: `no such path ${JSON.stringify(path)}` });
  }
});
