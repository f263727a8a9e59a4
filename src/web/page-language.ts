import type { IncomingHttpHeaders } from "node:http";

export type PageLanguage = "en" | "de";

/** The first language of the browser that there is. */
export function languageOf({
  "accept-language": accepted = "",
}: Pick<IncomingHttpHeaders, "accept-language">): PageLanguage {
  const wanted = accepted.split(",").map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return wanted.find((tag) => tag === "en" || tag === "de") ?? "en";
}
