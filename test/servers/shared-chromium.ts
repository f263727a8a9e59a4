import { after } from "node:test";

import type { Browser } from "playwright-core";

import { launchChromium } from "./chromium.ts";

const stack = new AsyncDisposableStack();
let shared: Promise<Browser> | undefined;
let isKept = false;

after(async () => {
  if (!isKept) await stack.disposeAsync();
});

/** For a batch: hooks of its process run after each of its files. */
export function keepChromium(): AsyncDisposable {
  isKept = true;
  return stack;
}

/** The one of this process. Who opens a context in it closes that. */
export function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium().then((browser) => {
    stack.defer(() => browser.close());
    return browser;
  });
  return shared;
}
