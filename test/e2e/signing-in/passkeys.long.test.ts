import assert from "node:assert/strict";
import { test } from "node:test";

import { closedPort } from "../../peers/tcp.ts";
import { EMAIL, faultsInAllLooks, openDashboard, PASSWORD } from "../dashboard/dashboard.ts";

test("an owner adds a passkey, signs in with it, and removes it", async () => {
  const port = await closedPort();
  const url = `http://localhost:${port}`;
  await using dashboard = await openDashboard({
    WATCHPOST_LISTEN: `127.0.0.1:${port}`,
    WATCHPOST_URL: url,
  });
  const { page, context } = dashboard;
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "usb", automaticPresenceSimulation: true },
  });

  await page.goto(`${url}/two-factor`);
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("What you call it").fill("Key ring <b>");
  assert.deepEqual(await faultsInAllLooks(page, "passkey-new"), []);
  await page.getByRole("button", { name: "Make the passkey" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  const code = await page.getByRole("listitem").first().innerText();
  await page.goto(`${url}/two-factor`);
  await page.getByText("Key ring <b>").first().waitFor();
  assert.deepEqual(await faultsInAllLooks(page, "passkeys"), []);

  const signIn = async (): Promise<void> => {
    await context.clearCookies();
    await page.goto(`${url}/signin?next=/account`);
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await signIn();
  assert.deepEqual(await faultsInAllLooks(page, "passkey-sign-in"), []);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Your profile" }).waitFor();

  await devtools.send("WebAuthn.clearCredentials", { authenticatorId });
  await signIn();
  await page.getByLabel("A recovery code").fill(code);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Your profile" }).waitFor();

  await page.goto(`${url}/two-factor`);
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Remove Key ring" }).click();
  await page.getByText(/protected by your password alone/).waitFor();
  await signIn();
  await page.getByRole("heading", { name: "Your profile" }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});
