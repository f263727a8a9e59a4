import { readFile } from "node:fs/promises";

/** Returns a template with its values, which replace `{{name}}`. */
export async function filled(
  path: string,
  values: Readonly<Record<string, string | number>>,
): Promise<string> {
  return (await readFile(path, "utf8")).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} names ${name}, which has no value`);
    return String(value);
  });
}

/** A pattern that matches exactly this text, in every dialect of regular expressions. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
