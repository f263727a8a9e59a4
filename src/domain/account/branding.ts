import type { AlertKind } from "../alert/alert.ts";

/** The kinds of alert that a mail template may be for. */
export type TemplateKind = Exclude<AlertKind, "missed">;

/** What an account puts in the place of the usual in its mails: the sender, templates of alerts by their kind, and a welcome. */
export type Branding = Readonly<
  Partial<Record<"from" | "welcome" | `${TemplateKind}Subject` | `${TemplateKind}Text`, string>>
>;

export type BrandingChanges = { readonly [Part in keyof Branding]: string | undefined };

/** Only what is sent changes, and empty text restores the default; undefined where only defaults are left. */
export function mergeBranding(
  known: Branding | undefined,
  changes: BrandingChanges,
): Branding | undefined {
  const merged = new Map(Object.entries(known ?? {}));
  for (const [part, text] of Object.entries(changes)) {
    if (text === "") merged.delete(part);
    else if (text !== undefined) merged.set(part, text);
  }
  return merged.size === 0 ? undefined : Object.fromEntries(merged);
}
