import { createServer, type Server } from "node:http";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { systemClock } from "../../../src/kit/clock.ts";
import { openContext } from "../../servers/chromium.ts";
import { sharedChromium } from "../../servers/shared-chromium.ts";
import { start, temporaryFolder, type RunningInstallation } from "../process.ts";
import { EMAIL, faultsOf, openDashboard, PASSWORD } from "./dashboard.ts";
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

export interface Scene extends AsyncDisposable {
  readonly site: RunningInstallation;
  readonly page: Page;
  readonly faults: readonly string[];
  readonly checkId: string;
}

/** A check that has run for weeks, and is down. */
export async function openScene(): Promise<Scene> {
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
