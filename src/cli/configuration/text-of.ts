/** The text of a scalar. Anything else is a fault where it stands, and has none. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}
