import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";
import { z } from "zod";

import { launchChromium } from "../servers/chromium.ts";

/** Git ignores it. */
export const outputFolder = join(import.meta.dirname, "../../test-output/mails");

export const widths = { desk: 1280, phone: 390 } as const;
export const schemes = ["light", "dark"] as const;
const HEIGHT = 900;

export interface View {
  readonly width: keyof typeof widths;
  readonly scheme: (typeof schemes)[number];
}

const rgb = z.tuple([z.number(), z.number(), z.number()]);
export type Rgb = z.infer<typeof rgb>;

const inspected = z.object({
  scrollWidth: z.number(),
  width: z.number(),
  height: z.number(),
  texts: z.array(
    z.object({
      text: z.string(),
      contrast: z.number(),
      fontPx: z.number(),
      isOutside: z.boolean(),
    }),
  ),
  cutOff: z.array(z.string()),
  buttons: z.array(
    z.object({
      text: z.string(),
      href: z.string(),
      width: z.number(),
      height: z.number(),
      isOnTop: z.boolean(),
    }),
  ),
  state: z.string(),
  headColor: rgb,
  headPoint: z.object({ x: z.number(), y: z.number() }),
  groundColor: rgb,
});

/** Visible content of a mail, and the colors of its picture. */
export interface Picture extends z.infer<typeof inspected> {
  readonly pixels: { readonly head: Rgb; readonly ground: Rgb };
}

export interface Camera extends AsyncDisposable {
  /** Shows the HTML, keeps a picture of all of it under that name, and says what is seen. */
  readonly take: (html: string, name: string, view: View) => Promise<Picture>;
  /** A picture of the mail alone, without the ground around it. */
  readonly crop: (html: string, path: string) => Promise<void>;
}

/** One browser for all pictures, which loads nothing from anywhere. */
export async function openCamera(): Promise<Camera> {
  await mkdir(outputFolder, { recursive: true });
  const inspect = await readFile(join(import.meta.dirname, "inspect-page.js"), "utf8");
  const browser = await launchChromium();
  const [page, canvas] = await Promise.all([offlinePage(browser), offlinePage(browser)]);
  const show = async (html: string, { width, scheme }: View): Promise<void> => {
    await page.setViewportSize({ width: widths[width], height: HEIGHT });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setContent(html, { waitUntil: "load" });
  };
  return {
    async take(html, name, view) {
      await show(html, view);
      const seen = inspected.parse(await page.evaluate(`${inspect}\ninspectPage()`));
      const path = join(outputFolder, `${name}-${view.width}-${view.scheme}.png`);
      const png = await page.screenshot({ path, fullPage: true });
      const [head, ground] = await pixelsOf(canvas, png, [
        seen.headPoint,
        { x: 1, y: seen.height - 1 },
      ]);
      return { ...seen, pixels: { head: rgb.parse(head), ground: rgb.parse(ground) } };
    },
    async crop(html, path) {
      await show(html, { width: "desk", scheme: "light" });
      await page.locator("table.paper").screenshot({ path });
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function offlinePage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ offline: true });
  return context.newPage();
}

/** Decoded by the browser itself. */
async function pixelsOf(
  page: Page,
  png: Buffer,
  points: readonly { readonly x: number; readonly y: number }[],
): Promise<readonly unknown[]> {
  const found: unknown = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(png.toString("base64"))}), (each) => each.codePointAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return ${JSON.stringify(points)}.map(({ x, y }) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3));
  })()`);
  return z.array(z.unknown()).parse(found);
}
