import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
} from "playwright-core";

import { TEST_DEADLINE_MS } from "../time/wait-for.ts";

/** Debian's, without the windows of a desktop, which take a fifth of the CPU of a test though nobody sees them. */
const PROGRAM = "/usr/bin/chromium-headless-shell";

/** Its sandbox does not work as root, whom the tests may run as; the pages are our own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
  });
}

/** A context in which a page that is slow fails nothing: the deadline is that of all tests. What moves takes a fifth of the CPU of a test, and is one test's alone: `test/e2e/dashboard/newcomer.long.test.ts`. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(TEST_DEADLINE_MS);
  return context;
}
