import { mkdir } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { BrowserContext, Page } from "playwright-core";
import { z } from "zod";

import { allLoaded, faultsOf } from "../e2e/dashboard/dashboard.ts";
import { openContext } from "../servers/chromium.ts";
import { englishAmong } from "./english.ts";
import type { Visited } from "./installation.ts";
import { statusStops, stopsOf, type Language, type Stop } from "./stops.ts";

const inPage = readFileSync(join(import.meta.dirname, "in-page.js"), "utf8");
const texts = z.array(z.string());
const locales = { en: "en-GB", de: "de-DE" } as const;
const looks = [
  { look: "desk", viewport: { width: 1440, height: 900 } },
  { look: "phone", viewport: { width: 390, height: 844 } },
] as const;
/** English text written by people: posts, and names of records and schedules. */
const names = new Set([
  "Owner",
  "Nights",
  "Weekdays",
  "Weekends",
  "Payments by card fail",
  "The queue of orders is full.",
  "Nothing is lost",
  ": what was ordered is paid later.",
]);
/** A page that does not open is an error, and the walk continues. */
const OPENS_WITHIN_MS = 30_000;
/** A page that is longer is seen from its beginning. */
const TALLEST = 2400;

interface Wish {
  readonly languages: readonly Language[];
  /** The folder for pictures; none are kept without it. */
  readonly pictures?: string | undefined;
}

/** Goes through all pages at a desk and on a phone, and says what is wrong with them. */
export async function walk(
  visited: Visited,
  { languages, pictures }: Wish,
): Promise<readonly string[]> {
  if (pictures !== undefined) await mkdir(pictures, { recursive: true });
  const faults: string[] = [];
  for (const language of languages) {
    await using context = await signedIn(visited, language);
    await using stranger = await openContext(visited.dashboard.browser, {
      locale: locales[language],
    });
    for (const each of [context, stranger]) each.setDefaultTimeout(OPENS_WITHIN_MS);
    const pages = { own: await context.newPage(), strangers: await stranger.newPage() };
    const thrown = [faultsOf(pages.own), faultsOf(pages.strangers)];
    for (const stop of [...stopsOf(visited), ...statusStops[language]]) {
      const page = stop.isPublic === true ? pages.strangers : pages.own;
      const { base } = visited.dashboard.site;
      const problem = await open(page, { base, stop, language });
      if (problem !== undefined) faults.push(`${stop.name}-${language}: ${problem}`);
      for (const { look, viewport } of looks) {
        const name = `${stop.name}-${look}-${language}`;
        await page.setViewportSize(viewport);
        const found = await faultsOn(page, language);
        faults.push(...found.map((fault) => `${name}: ${fault}`));
        if (pictures !== undefined) await keep(page, join(pictures, `${name}.png`));
      }
    }
    faults.push(...thrown.flat().map((fault) => `${language}: ${fault}`));
  }
  return faults;
}

async function signedIn(
  { dashboard: { browser, context } }: Visited,
  language: Language,
): Promise<BrowserContext> {
  const storageState = await context.storageState();
  return openContext(browser, { locale: locales[language], storageState });
}

interface Visit {
  readonly base: string;
  readonly stop: Stop;
  readonly language: Language;
}

/** Opens what a stop is about; says why that failed. */
async function open(page: Page, { base, stop, language }: Visit): Promise<string | undefined> {
  await page.setViewportSize(looks[0].viewport);
  // Drafts from the previous stop must not be restored.
  if (page.url().startsWith(base)) await page.evaluate("sessionStorage.clear()");
  try {
    await page.goto(`${base}${stop.path}`);
    if (stop.isPublic !== true) {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await allLoaded(page);
    }
    await stop.open?.(page, language);
  } catch (error) {
    return `could not be opened: ${String(error)}`;
  }
  return undefined;
}

/** Returns the errors of the displayed page. */
async function faultsOn(page: Page, language: Language): Promise<readonly string[]> {
  await page.waitForTimeout(300);
  await page.evaluate(inPage);
  const cut = texts.parse(await page.evaluate("cutTexts()"));
  const wider = Number(
    await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    ),
  );
  const read = texts.parse(await page.evaluate("readTexts()"));
  return [
    ...(wider > 0 ? [`${wider} pixels wider than the window`] : []),
    ...cut,
    ...(language === "de" ? englishAmong(read, names).map((text) => `English: ${text}`) : []),
  ];
}

async function keep(page: Page, path: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.screenshot({
    path,
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, TALLEST) },
  });
}
