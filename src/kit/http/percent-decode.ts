/** Reads the escapes of a URL (RFC 3986, 2.1); a text with one that is none stays as it is. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
