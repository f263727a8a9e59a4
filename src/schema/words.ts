/** A text for people, in each language of the dashboard. */
export interface Words {
  readonly en: string;
  readonly de: string;
}

export type Language = keyof Words;

/** A term that is the same in all languages. */
export function term(text: string): Words {
  return { en: text, de: text };
}
