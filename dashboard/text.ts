import { setupI18n, type I18n, type Messages } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { useCallback } from "react";

import type { MessageId } from "./locales/catalogue.ts";
import { languageOf, regionalLocale, type Language } from "./language.ts";

export type Text = (id: MessageId, values?: Record<string, unknown>) => string;

/** Gives the texts of the page in the language of the reader, by their ids in the catalogue. */
export function useText(): Text {
  const { i18n } = useLingui();
  return useCallback((id, values) => i18n._(id, values), [i18n]);
}

/** The locale in which dates and numbers are written. */
export function useLocale(): string {
  return regionalLocale(useLingui().i18n.locale);
}

/** The language of the texts. */
export function useLanguage(): string {
  return useLingui().i18n.locale;
}

type Catalogues = Readonly<Record<Language, () => Promise<{ readonly messages: Messages }>>>;

const catalogues: Catalogues = {
  en: () => import("virtual:messages/en"),
  de: () => import("virtual:messages/de"),
};
/** Those that the first screen does not need. */
const signInCatalogues: Catalogues = {
  en: () => import("virtual:messages/en/sign-in"),
  de: () => import("virtual:messages/de/sign-in"),
};

export const i18n: I18n = setupI18n();

export async function loadTexts(): Promise<void> {
  const locale = languageOf();
  const { messages } = await catalogues[locale]();
  document.documentElement.lang = locale;
  i18n.load(locale, messages);
  i18n.activate(locale);
}

/** Loads the texts about signing in. */
export async function loadSignInTexts(): Promise<void> {
  const locale = languageOf();
  const { messages } = await signInCatalogues[locale]();
  i18n.load(locale, messages);
}
