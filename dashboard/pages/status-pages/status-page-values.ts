import type { Section, StatusPage } from "./status-page.ts";

/** What the form holds of a page. */
export interface StatusPageValues extends Pick<
  StatusPage,
  | "name"
  | "slug"
  | "domain"
  | "access"
  | "language"
  | "timezone"
  | "intro"
  | "footer"
  | "color"
  | "logo"
  | "charts"
  | "enabled"
  | "subscribe"
  | "outageincidents"
  | "outagedelay"
> {
  readonly password: string;
  readonly sections: readonly Section[];
}

export function valuesOf(page: StatusPage | undefined): StatusPageValues {
  return {
    name: page?.name ?? "",
    slug: page?.slug ?? "",
    domain: page?.domain ?? "",
    access: page?.access ?? "public",
    password: "",
    language: page?.language ?? "en",
    timezone: page?.timezone ?? "",
    intro: page?.intro ?? "",
    footer: page?.footer ?? "",
    color: page?.color ?? "",
    logo: page?.logo ?? "",
    charts: page?.charts ?? "none",
    enabled: page?.enabled ?? true,
    subscribe: page?.subscribe ?? true,
    outageincidents: page?.outageincidents ?? "off",
    outagedelay: page?.outagedelay ?? 5,
    sections: page?.sections ?? [{ name: "", checks: [] }],
  };
}
