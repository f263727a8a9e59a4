import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

/** Debian's. */
const PROGRAM = "/usr/bin/chromium";

/** Its sandbox does not work as root, whom the tests may run as; the pages are our own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
  });
}
