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

const catalogues: Readonly<Record<Language, () => Promise<{ readonly messages: Messages }>>> = {
  en: () => import("virtual:messages/en"),
  de: () => import("virtual:messages/de"),
};

export async function loadTexts(): Promise<I18n> {
  const locale = languageOf();
  const { messages } = await catalogues[locale]();
  document.documentElement.lang = locale;
  return setupI18n({ locale, messages: { [locale]: messages } });
}
