const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  // guard: HTML of strangers = parameter
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Characters that XML 1.0 forbids, in any notation (2.2). */
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g; // oxlint-disable-line no-control-regex -- they are what is removed

/** Uses HTML escapes, which XML also accepts. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(NOT_IN_XML, ""));
}
