import type { AlertKind } from "../alert/alert.ts";

/** The kinds of alert that a mail template may be for. */
export type TemplateKind = Exclude<AlertKind, "missed">;

/** Overrides of an account's default mail texts: the sender, alert templates by kind, and the welcome mail. */
export type Branding = Readonly<
  Partial<Record<"from" | "welcome" | `${TemplateKind}Subject` | `${TemplateKind}Text`, string>>
>;

export type BrandingChanges = { readonly [Part in keyof Branding]: string | undefined };

/** Merges the sent fields; empty text restores a default. Undefined if only defaults remain. */
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
