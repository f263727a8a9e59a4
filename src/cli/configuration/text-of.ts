/** Returns the text of a scalar. Other values are reported as errors and return "". */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}
