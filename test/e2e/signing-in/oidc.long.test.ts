import assert from "node:assert/strict";
import { test } from "node:test";

import { EMAIL, faultsInAllLooks, openDashboard } from "../dashboard/dashboard.ts";
import { closedPort } from "../../peers/tcp.ts";
import { CLIENT, oidcProvider } from "../../peers/oidc-provider.ts";

test("a person signs in at the provider, and comes back to the page that was asked for", async () => {
  await using provider = await oidcProvider();
  const port = await closedPort();
  // A different site than the provider's, for cookies.
  const url = `http://localhost:${port}`;
  await using dashboard = await openDashboard({
    WATCHPOST_LISTEN: `127.0.0.1:${port}`,
    WATCHPOST_URL: url,
    WATCHPOST_OIDC_ISSUER: provider.url,
    WATCHPOST_OIDC_CLIENT_ID: CLIENT.id,
    WATCHPOST_OIDC_CLIENT_SECRET: CLIENT.secret,
    WATCHPOST_OIDC_LABEL: "Sign in at Example",
  });
  const { page, context } = dashboard;
  provider.person = { email: EMAIL, email_verified: true };
  await context.clearCookies();
  await page.goto(`${url}/checks`);
  const button = page.getByRole("link", { name: "Sign in at Example" });
  await button.waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "sign-in-oidc"), []);
  await button.click();
  await page.getByRole("link", { name: "Go on as Alice" }).click();
  await page.getByRole("heading", { name: "Checks", exact: true }).waitFor();
  assert.equal(page.url(), `${url}/checks`);
  const cookies = (await context.cookies()).map(({ name, sameSite }) => [name, sameSite]);
  assert.deepEqual(cookies, [
    ["watchpost-session", "Strict"],
    ["watchpost-device", "Strict"],
  ]);

  // A page that the server draws knows who is signed in too.
  await context.clearCookies();
  await page.goto(`${url}/signin?next=/two-factor`);
  await button.click();
  await page.getByRole("link", { name: "Go on as Alice" }).click();
  await page.getByRole("heading", { name: "Two-factor authentication" }).waitFor();

  await context.clearCookies();
  provider.person = { email: "nobody@example.com", email_verified: true };
  await page.goto(`${url}/signin`);
  await button.click();
  await page.getByRole("link", { name: "Go on as Alice" }).click();
  await page.getByRole("alert").waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "sign-in-oidc-unknown"), []);
  assert.deepEqual(dashboard.faults, []);
});
