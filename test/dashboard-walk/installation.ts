import { createServer } from "node:http";
import { once } from "node:events";

import { smtpPeer } from "../peers/smtp.ts";
import { closedPort, portOf } from "../peers/tcp.ts";
import { openDashboard, type Dashboard } from "../e2e/dashboard/dashboard.ts";
import type { RunningInstallation } from "../e2e/process.ts";
import { waitFor } from "../time/wait-for.ts";

const AT_ONCE = 10;

/** Page that the walk visits by its address. */
export interface Visited {
  readonly dashboard: Dashboard<RunningInstallation>;
  /** A web server that answers. */
  readonly web: string;
  readonly down: string;
  readonly quiet: string;
  readonly up: string;
  /** The path of the link in a mailed invitation. */
  readonly invitation: string;
}

/** Creates an installation with records of every kind, and a number of failing checks. */
export async function installation(
  stack: AsyncDisposableStack,
  downChecks: number,
): Promise<Visited> {
  const web = createServer(({ url }, response) => {
    const isDown = url?.startsWith("/checkout") === true;
    response
      .writeHead(isDown ? 503 : 200, { "content-type": "text/html" })
      .end("<title>The Example Shop</title>The queue of orders is full");
  });
  web.listen(0, "localhost");
  await once(web, "listening");
  stack.defer(() => {
    web.closeAllConnections();
    web.close();
  });
  const smtp = stack.use(await smtpPeer());
  const dashboard = stack.use(
    await openDashboard({
      WATCHPOST_SMTP_URL: smtp.url,
      WATCHPOST_MAIL_FROM: "Watchpost <watchpost@example.org>",
      WATCHPOST_SIGN_IN_RATE: "0",
    }),
  );
  const { site, page } = dashboard;
  const origin = `http://localhost:${portOf(web)}`;
  const http = { type: "HTTP", interval: 1440, sens: 0, enabled: true };
  const { _id: ops } = await site.api("POST contacts", {
    name: "Operations on call",
    newaddresses: [
      { type: "email", address: "operations@example.com" },
      { type: "webhook", address: `${origin}/hooks/alerts` },
      {
        service: "ntfy",
        settings: { server: "https://ntfy.example.invalid", topic: "alerts", token: "tk_s3cret" },
      },
      { service: "Telegram", settings: { token: "1:s3cret", chat_id: "-1001234567890" } },
    ],
  });
  const notifications = [{ [ops]: "All" }];
  const { _id: up } = await site.api("POST checks", {
    ...http,
    label: "Shop",
    tags: ["web"],
    target: `${origin}/shop`,
  });
  const { _id: quiet } = await site.api("POST checks", {
    type: "PUSH",
    label: "Nightly backup",
    enabled: true,
  });
  const { _id: down } = await site.api("POST checks", {
    ...http,
    label: "Checkout",
    tags: ["web", "payments"],
    target: `${origin}/checkout`,
    notifications,
  });
  await makeDown(dashboard, downChecks);
  await site.api(`PUT checks/${up}`, { interval: 5, tags: ["web", "shop"] });
  await makePages(dashboard, { up, down });
  await site.api("POST contactgroups", { name: "Night shift", members: [ops] });
  await site.api("POST notificationprofiles", {
    name: "Nights",
    notifications: [{ [ops]: { schedule: "Nights", delay: 5 } }],
  });
  await site.api("POST maintenance", {
    name: "New database",
    duration: 30,
    cron: "0 2 * * 1,2,3,4,5",
    checklist: [up],
  });
  // Invited by a person, in the dashboard.
  await page.goto(`${site.base}/contacts`);
  await page.getByRole("button", { name: "Add a contact" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ben Example");
  await page.getByLabel("Role").selectOption("view");
  await page.getByLabel("Email address").fill("ben@example.net");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("region", { name: "Ben Example" }).waitFor();
  const invitation = await waitFor("the invitation", () => {
    const mail = smtp.mails.find(({ to }) => to.includes("ben@example.net"))?.raw ?? "";
    const [link] =
      /http\S+\/start\?link=\S+/.exec(mail.replaceAll("=\r\n", "").replaceAll("=3D", "=")) ?? [];
    return link;
  });
  const { pathname, search } = new URL(invitation);
  return { dashboard, web: origin, down, quiet, up, invitation: `${pathname}${search}` };
}

async function makeDown({ site }: Dashboard, count: number): Promise<void> {
  const port = await closedPort();
  const all = Array.from({ length: count }, (_, index) => ({
    type: "PORT",
    interval: 1440,
    sens: 0,
    enabled: true,
    notifications: [],
    label: `Service ${index + 1}`,
    port,
    // One host with most of them, some with a few, and many with one.
    target: index % 5 < 3 ? "127.0.0.1" : `127.0.1.${index % 5 === 3 ? index % 40 : index % 200}`,
  }));
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(
      all.slice(from, from + AT_ONCE).map((check) => site.api("POST checks", check)),
    );
  await waitFor("all that are down", async () => {
    const { counts } = await site.api("GET statuses/overview");
    return counts.down > count;
  });
}

async function makePages(
  { site }: Dashboard,
  { up, down }: { readonly up: string; readonly down: string },
): Promise<void> {
  for (const [slug, language, name] of [
    ["shop", "en", "Example Shop"],
    ["laden", "de", "Beispielladen"],
  ])
    await site.api("POST statuspages", {
      name,
      slug,
      language,
      color: "#8a63d2",
      sections: [
        { name: "Shop", checks: [{ id: up, name: "Home page" }] },
        { name: "Payments", checks: [{ id: down, name: "Checkout" }] },
      ],
    });
  await site.api("POST incidents", {
    name: "Payments by card fail",
    text: "The queue of orders is full. **Nothing is lost**: what was ordered is paid later.",
    checks: [down],
  });
}
