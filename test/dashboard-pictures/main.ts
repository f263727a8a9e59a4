import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";

import { systemClock } from "../../src/kit/clock.ts";
import { EMAIL, openDashboard, PASSWORD } from "../e2e/dashboard/dashboard.ts";
import { fillHistory, type Outage } from "../e2e/dashboard/fill-history.ts";
import { root, start, temporaryFolder } from "../e2e/process.ts";
import { launchChromium } from "../servers/chromium.ts";
import { portOf } from "../peers/tcp.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const now = systemClock.now();
const longAgo = (days: number, minutes: number): Outage => {
  const begun = now - days * DAY_MS;
  return { start: begun, end: begun + minutes * MINUTE_MS };
};
const goesOn = (minutes: number): Outage => ({ start: now - minutes * MINUTE_MS, end: undefined });

/** Checks of the installation in the pictures. */
const checks: readonly {
  readonly label: string;
  readonly tags: readonly string[];
  readonly days?: number;
  readonly outages?: readonly Outage[];
}[] = [
  { label: "Shop", tags: ["web"], outages: [longAgo(41, 55)] },
  { label: "Checkout", tags: ["web", "payments"], outages: [longAgo(63, 200), goesOn(14)] },
  { label: "Search", tags: ["web"], outages: [longAgo(12, 35), longAgo(72, 20)] },
  { label: "Customer API", tags: ["api"] },
  { label: "Partner API", tags: ["api"], outages: [longAgo(3, 190), longAgo(30, 600)] },
  { label: "Payment gateway", tags: ["payments"], outages: [longAgo(63, 210)] },
  { label: "Blog", tags: ["web"], days: 50 },
  { label: "Documentation", tags: ["web"] },
];

await using stack = new AsyncDisposableStack();
const web = createServer(({ url }, response) => {
  response.writeHead(url === "/checkout" ? 503 : 200).end("The queue of orders is full");
});
web.listen(0, "localhost");
await once(web, "listening");
stack.defer(() => void web.close());
const folder = stack.use(await temporaryFolder());
const data = join(folder.path, "data");
const settings = { WATCHPOST_DATA: data };

const made: { readonly id: string; readonly accountId: string; readonly index: number }[] = [];
let token = "";
{
  await using first = await openDashboard(settings);
  ({ token } = first.site);
  for (const [index, { label, tags }] of checks.entries()) {
    const target = `http://localhost:${portOf(web)}/${label.toLowerCase().replaceAll(" ", "-")}`;
    const check = { type: "HTTP", label, tags, target, interval: 1440 };
    const { _id: id, customer_id: accountId } = await first.site.api("POST checks", check);
    made.push({ id, accountId, index });
  }
  await first.site.kill("SIGTERM");
}
for (const { id, accountId, index } of made) {
  const { days = 89, outages = [] } = checks[index] ?? {};
  await fillHistory({ data, accountId, checkId: id, days, now, everyMinutes: 15, outages });
}
const site = stack.use(await start(folder.path, settings, token));
const browser = await launchChromium();
stack.defer(() => browser.close());
const context = await browser.newContext({
  viewport: { width: 1280, height: 1120 },
  colorScheme: "light",
});
const page = await context.newPage();
await page.goto(`${site.base}/signin`);
await page.getByLabel("Email").fill(EMAIL);
await page.getByLabel("Password").fill(PASSWORD);
await page.getByRole("button", { name: "Sign in" }).click();
await page.getByText("Documentation").first().waitFor();
// These come after the rows.
await page
  .getByLabel(/^Run times of 24 hours/)
  .first()
  .waitFor();
await page.screenshot({ path: join(root, "docs/pictures/dashboard.png") });
await page.getByRole("link", { name: "Checkout" }).first().click();
await page.locator("canvas").waitFor();
await page.getByText(/in the last 90 days/).waitFor();
await page.screenshot({ path: join(root, "docs/pictures/dashboard-check.png") });
const shown = (label: string, name = label) => {
  const index = checks.findIndex((check) => check.label === label);
  return { id: made.find((check) => check.index === index)?.id, name };
};
await site.api("POST statuspages", {
  name: "Example Shop",
  slug: "shop",
  color: "#8a63d2",
  charts: "90d",
  intro: "How our shop is. [Write to us](mailto:help@example.com)",
  sections: [
    { name: "Shop", checks: [shown("Shop", "Home page"), shown("Search")] },
    { name: "Payments", checks: [shown("Payment gateway"), shown("Checkout")] },
  ],
});
await site.api("POST incidents", {
  name: "Payments by card fail",
  text: "The queue of orders is full. **Nothing is lost**: what was ordered is paid later.",
});
// The chart is rendered again after all times are read.
await page.waitForTimeout(11_000);
await page.goto(`${site.base}/status/shop`);
await page.getByText("Response times of the last 90 days").last().waitFor();
await page.screenshot({ path: join(root, "docs/pictures/status-page.png") });
process.stdout.write(
  "docs/pictures/dashboard.png docs/pictures/dashboard-check.png docs/pictures/status-page.png\n",
);
