import type { FastifyReply } from "fastify";

import { isRecord } from "../../kit/safe-json.ts";
import type { ResponseBody } from "../operation.ts";

/** Says what of a request had no effect, or what it made will not do. Repeated sentences count once. */
export interface Warnings {
  /** `grave` is what keeps a check from running, or alerts from arriving: it comes before all else. */
  readonly add: (sentence: string, weight?: "grave") => void;
  /** All warnings as one line; undefined if there are none. */
  readonly line: () => string | undefined;
}

/** Not `Warning`, which RFC 9111 (section 5.5) obsoleted, and which proxies remove or fill with codes of their own. */
export const WARNING_HEADER = "x-watchpost-warning";
const MAX_SENTENCES = 10;
/** Some clients refuse headers of more than 8 KiB in all. */
const MAX_HEADER_LENGTH = 2000;

export function createWarnings(): Warnings {
  const grave = new Set<string>();
  const others = new Set<string>();
  return {
    add: (sentence, weight) => void (weight === "grave" ? grave : others).add(sentence),
    line() {
      const sentences = grave.union(others);
      const listed = [...sentences].slice(0, MAX_SENTENCES);
      const more = sentences.size - listed.length;
      const all = more > 0 ? [...listed, `and ${more} more`] : listed;
      return all.length === 0 ? undefined : all.join("; ");
    },
  };
}

/**
 * Adds the warnings to a response: as a header to any, and as the member `warning` to one record and to what a write is answered with. In a list each member is
 * a record by its id or name, so that clients would take a warning among them for one.
 */
export function withWarnings(
  body: ResponseBody,
  warnings: Warnings,
  { action, reply }: { readonly action: string; readonly reply: FastifyReply },
): ResponseBody {
  const line = warnings.line();
  if (line === undefined) return body;
  reply.header(WARNING_HEADER, asciiOf(line).slice(0, MAX_HEADER_LENGTH));
  const isOne = ["POST", "PUT", "DELETE"].includes(action) || "_id" in Object(body);
  if (!isOne || !isRecord(body)) return body;
  const { warning: own, ...record } = body;
  return { ...record, warning: typeof own === "string" ? `${own}; ${line}` : line };
}

/** A header has no other characters (RFC 9110, section 5.5). */
function asciiOf(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
