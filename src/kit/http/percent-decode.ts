/** Decodes percent-encoding (RFC 3986, 2.1); a text with an invalid escape is returned unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
