import { mkdir, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { z } from "zod";

import { remoteAccountAdmin } from "../../../src/server/control/remote-account-admin.ts";
import { signInUrl } from "../../../src/domain/account/session.ts";
import { openContext } from "../../servers/chromium.ts";
import { sharedChromium } from "../../servers/shared-chromium.ts";
import {
  root,
  signInLinkOf,
  start,
  temporaryFolder,
  type ApiOfAccount,
  type RunningInstallation,
} from "../process.ts";

export const EMAIL = "ann@example.com";
export const PASSWORD = "correct horse battery";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const inspection = readFileSync(join(import.meta.dirname, "inspect.js"), "utf8");
const lines = z.array(z.string());
const widths = z.object({ width: z.number(), window: z.number() });
const pictures = join(root, "test-output/dashboard");
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

/** A running installation as the holder of a token of it has it, and a browser. */
export interface Installation<Site extends ApiOfAccount = ApiOfAccount> {
  readonly site: Site;
  /** Where the program runs. */
  readonly folder: string;
  readonly browser: Browser;
}

/** A page in which the owner of the account is signed in. */
export interface Dashboard<Site extends ApiOfAccount = ApiOfAccount>
  extends Installation<Site>, AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Violations of the page's policy, and its uncaught errors. */
  readonly faults: readonly string[];
}

/** Starts the program, and signs its first owner in by the link that it prints. */
export async function openDashboard(
  settings: Readonly<Record<string, string>> = {},
): Promise<Dashboard<RunningInstallation>> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const site = stack.use(await start(folder.path, settings));
  const browser = await sharedChromium();
  const context = await openContext(browser, { viewport: DESK, locale: "en-GB" });
  stack.defer(() => context.close());
  const page = await context.newPage();
  const faults = faultsOf(page);
  await page.goto(signInLinkOf(site));
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
  const all = stack.move();
  return {
    site,
    folder: folder.path,
    browser,
    context,
    page,
    faults,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Signs a contact of the account in by a link of the command line, in a browser of its own. */
export async function signInAs(
  installation: Installation,
  contact: { readonly name: string; readonly custrole: "view" | "edit" | "owner" },
): Promise<BrowserContext> {
  const address = `${contact.name.toLowerCase()}@example.com`;
  const { _id: contactId, customer_id: accountId } = await installation.site.api("POST contacts", {
    ...contact,
    newaddresses: [{ type: "email", address }],
  });
  return signInByLink(installation, { accountId, contactId });
}

interface LinkOwner {
  readonly accountId: string;
  readonly contactId?: string;
}

/** Signs in whom a link is made for, in a browser of its own. */
export async function signInByLink(
  installation: Installation,
  whom: LinkOwner,
): Promise<BrowserContext> {
  const context = await openContext(installation.browser, { viewport: DESK, locale: "en-GB" });
  await openSignInLink(await context.newPage(), installation, whom);
  return context;
}

/** Follows a link that is made for this sign-in, in a page that is there. */
export async function openSignInLink(
  page: Page,
  { site, folder }: Pick<Installation, "folder"> & { readonly site: Pick<ApiOfAccount, "base"> },
  whom: LinkOwner,
): Promise<void> {
  const { secret } = await remoteAccountAdmin(join(folder, "data")).createSignInLink(whom);
  await page.goto(signInUrl(site.base, secret));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
}

/** Collects what goes wrong in a page. */
export function faultsOf(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|React/.test(message.text()))
      faults.push(message.text());
  });
  return faults;
}

/** Returns violations of WCAG 2.2 AA found by axe, one line each; on a page already examined in other colors, only those that depend on colors. */
export async function accessibilityFaults(
  page: Page,
  { isRecolored = false } = {},
): Promise<readonly string[]> {
  // An animation would be measured half transparent.
  await page.emulateMedia({ reducedMotion: "reduce" });
  // To load it takes as long as some of its rules do.
  if ((await page.evaluate("typeof accessibilityFaults")) === "undefined")
    await page.evaluate(`${axe}\n${inspection}`);
  return lines.parse(await page.evaluate(`accessibilityFaults({ isRecolored: ${isRecolored} })`));
}

/** Waits until nothing of the page is being loaded any more. */
export async function allLoaded(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
}

/** How far the content is wider than the window, in pixels. */
export async function sidewaysScroll(page: Page): Promise<number> {
  const { width, window } = widths.parse(await page.evaluate("widthOfContent()"));
  return width - window;
}

const looks = [
  { look: "desk", viewport: DESK, colorScheme: "light" },
  { look: "desk-dark", viewport: DESK, colorScheme: "dark" },
  { look: "phone", viewport: PHONE, colorScheme: "light" },
  { look: "phone-dark", viewport: PHONE, colorScheme: "dark" },
] as const;

/** Kept as long as its page, because ending a session removes all passkeys of the page. */
const sessions = new WeakMap<Page, CDPSession>();

/** All of the page as it is, in a file that is larger than it need be: to make a small one takes twice as long. */
async function keepPicture(page: Page, path: string): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const { cssContentSize } = await session.send("Page.getLayoutMetrics");
  const { data } = await session.send("Page.captureScreenshot", {
    captureBeyondViewport: true,
    optimizeForSpeed: true,
    clip: { ...cssContentSize, scale: 1 },
  });
  await writeFile(path, Buffer.from(data, "base64"));
}

/** The dashboard follows the setting of the browser by its script; other pages by their style alone. */
async function recolored(page: Page, scheme: "dark" | "light"): Promise<void> {
  const attribute = "data-mantine-color-scheme";
  await page
    .locator(`html:not([${attribute}]), html[${attribute}="${scheme}"]`)
    .waitFor({ state: "attached" });
}

/** Returns the errors of the page on desktop and phone, light and dark; saves a screenshot of each. */
export async function faultsInAllLooks(page: Page, name: string): Promise<readonly string[]> {
  await mkdir(pictures, { recursive: true });
  const faults: string[] = [];
  for (const { look, viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await recolored(page, colorScheme);
    const found = await accessibilityFaults(page, { isRecolored: colorScheme === "dark" });
    faults.push(...found.map((fault) => `${look}: ${fault}`));
    const wider = await sidewaysScroll(page);
    if (wider > 0) faults.push(`${look}: ${wider} pixels wider than the window`);
    await keepPicture(page, join(pictures, `${name}-${look}.png`));
  }
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: "light" });
  return faults;
}
