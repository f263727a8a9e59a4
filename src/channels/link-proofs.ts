import { includesAccess, type Access } from "../domain/account/access.ts";
import { HIDDEN } from "../kit/redact.ts";
import { acknowledgePath } from "./acknowledge-links.ts";
import { calendarPath } from "./calendar-links.ts";
import { pagePath } from "./page-links.ts";

/** The access that allows what the links with these paths allow. All other links act for their recipient alone. */
const accessByPath: Readonly<Record<string, Access>> = {
  [acknowledgePath]: "edit",
  [calendarPath]: "edit",
  [pagePath]: "edit",
};

/** Matches the proof of one of our signed links, with the equals sign in any usual encoding. All proofs are SHA-256 in Base64. */
const PROOF = /(proof(?:=|&equals;|&#(?:61|x3d);|\\u003d|%(?:25){0,3}3d))[\w-]{43}/gi;
/** Longer than any of our links, encoded. */
const MAX_LINK_LENGTH = 4000;

/** Cuts the proofs out of the signed links in a text, except of links that allow no more than the reader's own access. */
export function withoutProofs(text: string, reader?: Access): string {
  if (!text.includes("proof")) return text;
  return text.replaceAll(PROOF, (proof: string, name: string, at: number) => {
    const [head = ""] = /[^\s"'<>]*$/.exec(text.slice(Math.max(0, at - MAX_LINK_LENGTH), at)) ?? [];
    const [, needed = "owner"] =
      Object.entries(accessByPath).find(([path]) => head.includes(`${path}?`)) ?? [];
    const isOwn = reader !== undefined && includesAccess(reader, needed);
    // guard: proofs of links = then
    return isOwn ? proof : `${name}${HIDDEN}`;
  });
}
