import { oneLine } from "./one-line.ts";

const MAX_LINE_LENGTH = 300;

/** Converts untrusted text to safe lines, up to a maximum; if there are more, the last line says so. */
export function manyLines(
  text: string,
  most: number,
  lineOf: typeof oneLine = oneLine,
): readonly string[] {
  const lines = text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => lineOf(line, MAX_LINE_LENGTH));
  while (lines.at(-1) === "") lines.pop();
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most), `and ${lines.length - most} more lines`];
}
