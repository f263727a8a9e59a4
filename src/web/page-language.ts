import type { IncomingHttpHeaders } from "node:http";

export type BuiltInLanguage = "en" | "de";

/** The first language of the browser that there is. */
export function languageOf({
  "accept-language": accepted = "",
}: Pick<IncomingHttpHeaders, "accept-language">): BuiltInLanguage {
  const wanted = accepted.split(",").map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return wanted.find((tag) => tag === "en" || tag === "de") ?? "en";
}
