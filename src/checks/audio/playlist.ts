/** The first entry of an M3U, PLS or XSPF playlist; undefined if the text is not a playlist. */
export function firstEntry(text: string, contentType: string): string | undefined {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  if (/^\s*\[playlist\]/i.test(text))
    return lines
      .map((line) => /^File\d+\s*=\s*(.+)/i.exec(line)?.[1])
      .find((entry) => entry !== undefined);
  if (text.includes("http://xspf.org/ns/")) {
    const track = text.indexOf("<track>");
    const [, entry] = /<location>\s*([^<\s]+)/.exec(track === -1 ? "" : text.slice(track)) ?? [];
    return entry?.replaceAll("&amp;", "&");
  }
  if (/^\s*(?:#EXTM3U|https?:\/\/)/i.test(text) || /mpegurl/i.test(contentType))
    return lines.find((line) => line !== "" && !line.startsWith("#"));
  return undefined;
}
