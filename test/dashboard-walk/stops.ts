import type { Page } from "playwright-core";

import { de } from "../../dashboard/locales/de.ts";
import { en } from "../../dashboard/locales/en.ts";
import type { Visited } from "./installation.ts";

export type Language = "en" | "de";
const catalogues = { en, de };

/** A page, or something in it, that the walk looks at. */
export interface Stop {
  readonly name: string;
  readonly path: string;
  /** Opens what is looked at, in a page that is loaded. */
  readonly open?: (page: Page, language: Language) => Promise<void>;
  /** Whether people see it who are not signed in. */
  readonly isPublic?: boolean;
}

/** Everything that the walk visits, in its order. */
export function stopsOf({ web, down, quiet, up, invitation }: Visited): readonly Stop[] {
  return [
    { name: "overview", path: "/" },
    {
      name: "overview-group-open",
      path: "/",
      open: (page, language) =>
        page
          .getByRole("button", { name: catalogues[language].overview.showChecks })
          .first()
          .click(),
    },
    {
      name: "welcome",
      path: "/welcome",
      async open(page, language) {
        const { welcome } = catalogues[language];
        await page.getByLabel(welcome.target).fill(`${web}/shop`);
        await page.getByRole("button", { name: welcome.try }).click();
        await page.getByRole("button", { name: welcome.save, exact: true }).waitFor();
      },
    },
    { name: "welcome-alerts", path: `/welcome?step=alerts&check=${up}` },
    { name: "welcome-done", path: `/welcome?step=done&check=${up}` },
    { name: "checks", path: "/checks" },
    { name: "check-types", path: "/checks/new" },
    { name: "check-new", path: "/checks/new?type=HTTP" },
    { name: "check-edit", path: `/checks/${down}/edit` },
    { name: "check-no-data", path: `/checks/${quiet}` },
    { name: "check-up", path: `/checks/${up}` },
    { name: "check-down", path: `/checks/${down}` },
    {
      name: "mute-menu",
      path: `/checks/${down}`,
      async open(page, language) {
        await page.getByRole("button", { name: catalogues[language].checks.mute }).click();
        await page.getByRole("menuitem").first().waitFor();
      },
    },
    {
      name: "acknowledge",
      path: `/checks/${down}`,
      open: (page, language) =>
        page
          .getByRole("button", { name: catalogues[language].check.acknowledge, exact: true })
          .click(),
    },
    { name: "contacts", path: "/contacts" },
    {
      name: "contact-receivers",
      path: "/contacts",
      async open(page, language) {
        const { contacts } = catalogues[language];
        await page.getByRole("button", { name: contacts.add }).click();
        await page.getByRole("combobox", { name: contacts.kindLabel }).click();
        await page.getByRole("listbox").getByRole("option").first().waitFor();
      },
    },
    {
      name: "contact-ntfy",
      path: "/contacts",
      async open(page, language) {
        await page.getByRole("button", { name: /ntfy/ }).click();
        await page.getByRole("menuitem", { name: catalogues[language].common.edit }).click();
        await page.getByRole("dialog").locator("input").first().waitFor();
      },
    },
    { name: "notifications", path: "/notifications" },
    { name: "locations", path: "/locations" },
    { name: "groups", path: "/groups" },
    { name: "profiles", path: "/profiles" },
    { name: "schedules", path: "/schedules" },
    { name: "maintenance", path: "/maintenance" },
    { name: "status-pages", path: "/status-pages" },
    {
      name: "status-page-form",
      path: "/status-pages",
      open: (page, language) =>
        page.getByRole("button", { name: catalogues[language].common.edit }).first().click(),
    },
    { name: "incidents", path: "/incidents" },
    {
      name: "incident-form",
      path: "/incidents",
      open: (page, language) =>
        page.getByRole("button", { name: catalogues[language].incidents.add }).click(),
    },
    { name: "subaccounts", path: "/subaccounts" },
    { name: "branding", path: "/branding" },
    { name: "account", path: "/account" },
    { name: "settings", path: "/settings" },
    { name: "tokens", path: "/tokens" },
    { name: "audit", path: "/audit" },
    {
      name: "palette",
      path: "/",
      async open(page) {
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog").getByRole("option").first().waitFor();
      },
    },
    {
      name: "palette-typed",
      path: "/",
      async open(page) {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("sho");
        await page.getByRole("option", { name: /Shop/ }).first().waitFor();
      },
    },
    {
      name: "keys",
      path: "/",
      async open(page) {
        await page.keyboard.press("Shift+?");
        await page.getByRole("dialog").getByRole("row").first().waitFor();
      },
    },
    { name: "unknown-check", path: "/checks/251123000000ABCDE-ABCDEFGH" },
    { name: "unknown-address", path: "/nosuch", isPublic: true },
    { name: "password", path: "/password" },
    { name: "two-factor", path: "/two-factor" },
    { name: "signed-in", path: "/signin" },
    { name: "sign-in", path: "/signin", isPublic: true, open: shown },
    { name: "forgot", path: "/forgot", isPublic: true, open: shown },
    { name: "invitation", path: invitation, isPublic: true, open: shown },
    { name: "link-ended", path: "/start?link=x", isPublic: true, open: shown },
  ];
}

async function shown(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** The pages for readers of a status page, whose language is their own. */
export const statusStops: Readonly<Record<Language, readonly Stop[]>> = {
  en: statusStopsOf("shop"),
  de: statusStopsOf("laden"),
};

function statusStopsOf(slug: string): readonly Stop[] {
  return [
    { name: "status-page", path: `/status/${slug}`, isPublic: true },
    { name: "subscribe", path: `/status/${slug}/subscribe`, isPublic: true },
  ];
}
