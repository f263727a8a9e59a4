import { isIP } from "node:net";

const NOT_IN_A_HOST = /[\s/?#@\\:]/;
const BRACKETED = /^\[([^\]]+)\]$/;

/**
 * The canonical form of a host: a lower-case ASCII name, or an address without brackets. Uses the URL parser, so `0177.0.0.1`, `2130706433` and
 * `127.1` are one address, as in a URL. Undefined if the text is not a host.
 */
export function parseHost(text: string): string | undefined {
  if (isIP(text) !== 0) return text;
  const inner = BRACKETED.exec(text)?.[1];
  if (inner !== undefined) return isIP(inner) === 6 ? inner : undefined;
  // guard: hosts without user info
  if (NOT_IN_A_HOST.test(text)) return undefined;
  // guard: hosts in one spelling = parameter
  return URL.parse(`http://${text}`)?.hostname;
}
