import type { Locator, Page } from "playwright-core";

import type { Visited } from "./installation.ts";

const OPENS_WITHIN_MS = 60_000;
/** As many elements a page has at most between two that are wanted. */
const MAX_STEPS = 80;

/** Fields show by their border that they have the focus. */
const showsFocus = `(() => {
  const element = document.activeElement;
  return element.matches("input, textarea, select, main") || getComputedStyle(element).outlineStyle !== "none";
})()`;
const describesFocus = "document.activeElement.outerHTML.slice(0, 120)";

/** Uses the dashboard by the keyboard alone; says where the focus is lost, or cannot be seen. */
export async function keyboardPass({
  dashboard: { context, site },
  down,
}: Visited): Promise<readonly string[]> {
  const page = await context.newPage();
  page.setDefaultTimeout(OPENS_WITHIN_MS);
  const keyboard = new Keyboard(page);
  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");
  const heading = (name: string): Promise<void> =>
    page.getByRole("heading", { level: 1, name }).waitFor();

  await page.goto(site.base);
  await heading("Overview");
  await keyboard.tabTo(page.getByRole("link", { name: "Skip to the content" }));
  await page.keyboard.press("Enter");
  await keyboard.expectFocus(main);

  await page.keyboard.press("Shift+?");
  await dialog.getByRole("row").first().waitFor();
  await keyboard.leave(dialog);
  await keyboard.expectFocus(main);

  await keyboard.command("contacts");
  await heading("Contacts");
  await keyboard.expectFocus(main);
  const add = page.getByRole("button", { name: "Add a contact" });
  await keyboard.tabTo(add);
  await page.keyboard.press("Enter");
  await keyboard.expectFocus(dialog.getByLabel("Name", { exact: true }));
  await page.keyboard.type("Keyboard");
  await keyboard.tabTo(dialog.getByRole("combobox", { name: "Receiver" }));
  await page.keyboard.type("ntfy");
  await dialog.getByRole("option", { name: "ntfy", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  const topic = dialog.getByLabel("Topic");
  await keyboard.tabTo(topic);
  await page.keyboard.type("alerts");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard what you changed?" });
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await keyboard.expectFocus(topic);
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Keyboard" }).waitFor();
  await keyboard.expectFocus(add);

  await page.goto(`${site.base}/checks/${down}`);
  await heading("Checkout");
  const mute = page.getByRole("button", { name: "Mute", exact: true });
  const unmute = page.getByRole("button", { name: "Unmute" });
  await keyboard.tabTo(mute);
  await page.keyboard.press("Enter");
  await keyboard.expectFocus(page.getByRole("menuitem").first());
  await page.keyboard.press("Escape");
  await keyboard.expectFocus(mute);
  await page.keyboard.press("Enter");
  await keyboard.expectFocus(page.getByRole("menuitem").first());
  await page.keyboard.press("Enter");
  await unmute.waitFor();
  await keyboard.expectFocus(unmute);
  await page.keyboard.press("Enter");
  await mute.waitFor();
  await keyboard.expectFocus(mute);

  await keyboard.command("checks");
  await heading("Checks");
  const search = page.getByRole("searchbox", { name: "Search checks" });
  await search.waitFor();
  await page.keyboard.press("/");
  await keyboard.expectFocus(search);
  await page.close();
  return keyboard.faults;
}

class Keyboard {
  readonly faults: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes forward until the element has the focus. */
  async tabTo(element: Locator): Promise<void> {
    await element.waitFor({ state: "attached" });
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await this.#page.keyboard.press("Tab");
      if ((await this.#page.evaluate(showsFocus)) !== true)
        this.faults.push(`the focus cannot be seen: ${await this.#focused()}`);
      if ((await element.and(this.#page.locator(":focus")).count()) > 0) return;
    }
    throw new Error(`not reached by the keyboard: ${String(element)}`);
  }

  async expectFocus(element: Locator): Promise<void> {
    const focused = element.and(this.#page.locator(":focus"));
    await focused.waitFor().catch(async () => {
      this.faults.push(`the focus is at ${await this.#focused()}, not at ${String(element)}`);
    });
  }

  /** Leads to what matches best. */
  async command(words: string): Promise<void> {
    await this.#page.keyboard.press("Control+k");
    await this.#page.keyboard.type(words);
    await this.#page.getByRole("dialog").getByRole("option", { selected: true }).waitFor();
    await this.#page.keyboard.press("Enter");
  }

  async leave(dialog: Locator): Promise<void> {
    await dialog.locator(":focus").waitFor();
    await this.#page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }

  async #focused(): Promise<string> {
    return String(await this.#page.evaluate(describesFocus));
  }
}
