import type { en } from "./en.ts";

type English = typeof en;

/** The texts of a language: those of the English catalogue and no other, in ICU MessageFormat. */
export type Catalogue = {
  readonly [Part in keyof English]: Readonly<Record<keyof English[Part], string>>;
};

export type MessageId = {
  [Part in keyof English]: `${Part}.${keyof English[Part] & string}`;
}[keyof English];
