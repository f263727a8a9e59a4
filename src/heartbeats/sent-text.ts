import { charsetOf, decodeText } from "../kit/http/body-text.ts";

/** The end of a job's output, where its errors are. */
const MAX_BYTES = 10_000;
/** A UTF-8 character has at most four bytes, of which all but the first start with these bits. */
const MAX_CONTINUATION_BYTES = 3;
const LINE_FEED = 0x0a;
const MAX_SKIPPED_BYTES = 1000;
const [CONTINUATION_MASK, CONTINUATION] = [0xc0, 0x80];
/** Colours, cursors and titles of terminals (ECMA-48, 5.4 and 8.3.89), of bounded length. */
const SEQUENCE = /\x1b(?:\[[0-?]{0,30}[ -/]{0,3}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\))/g; // oxlint-disable-line no-control-regex -- they are what is removed
/** All but tab and line feed. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/g; // oxlint-disable-line no-control-regex -- they are what is removed

/** Returns the end of a body as text to store, without colors and overwritten progress bars. Undefined if nothing remains. */
export function sentText(
  bytes: Uint8Array,
  {
    contentType,
    cutBytes = 0,
  }: { readonly contentType?: string | undefined; readonly cutBytes?: number } = {},
): string | undefined {
  const from = beginOf(bytes);
  const decoded = decodeText(bytes.subarray(from), charsetOf(contentType));
  if (decoded.includes("\0")) return `(${bytes.length + cutBytes} bytes that are no text)`;
  const text = decoded.replaceAll(SEQUENCE, "").split("\n").map(lastShown).join("\n").trimEnd();
  if (text === "") return undefined;
  const cut = from + cutBytes;
  return cut === 0 ? text : `(${cut} bytes before this were cut off)\n${text}`;
}

/** Returns the final text of a line in which a progress bar returned to the start. */
function lastShown(line: string): string {
  const printed = line.trimEnd();
  return printed.slice(printed.lastIndexOf("\r") + 1).replaceAll(CONTROL, "");
}

/** Returns the start of the stored end: at a line, or at a character if no line break is near. */
function beginOf(bytes: Uint8Array): number {
  if (bytes.length <= MAX_BYTES) return 0;
  let from = bytes.length - MAX_BYTES;
  const lineEnd = bytes.indexOf(LINE_FEED, from - 1);
  if (lineEnd !== -1 && lineEnd < from + MAX_SKIPPED_BYTES) return lineEnd + 1;
  const latest = from + MAX_CONTINUATION_BYTES;
  while (from < latest && ((bytes[from] ?? 0) & CONTINUATION_MASK) === CONTINUATION) from += 1;
  return from;
}
