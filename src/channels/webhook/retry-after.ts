/** What a Retry-After header asks for, in ms from `now`: seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * 1000 : httpDate(text);
  return at === undefined ? undefined : Math.max(0, at - now);
}

function httpDate(text: string): number | undefined {
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
