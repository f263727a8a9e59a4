import { isIP } from "node:net";

const NOT_IN_A_HOST = /[\s/?#@\\:]/;
const BRACKETED = /^\[([^\]]+)\]$/;

/**
 * One spelling for a host: a lower-case ASCII name, or an address without brackets. The URL parser decides, so `0177.0.0.1`, `2130706433` and
 * `127.1` are one address here as they are in a URL. Undefined where it is no host.
 */
export function parseHost(text: string): string | undefined {
  if (isIP(text) !== 0) return text;
  const inner = BRACKETED.exec(text)?.[1];
  if (inner !== undefined) return isIP(inner) === 6 ? inner : undefined;
  if (NOT_IN_A_HOST.test(text)) return undefined;
  return URL.parse(`http://${text}`)?.hostname;
}
