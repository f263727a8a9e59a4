import type { AlertContext } from "../channel.ts";
import { summaryLines, takeLines } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";

interface TextForm {
  /** Its largest size, in what `sizeOf` counts: UTF-16 units unless given. */
  readonly most: number;
  readonly sizeOf?: (text: string) => number;
  /** Escapes a value, and joins it with its name, for the receiver. */
  readonly mark?: (value: string, name?: string) => string;
  /** False where the subject is shown elsewhere. */
  readonly withSubject?: boolean;
  readonly withLink?: boolean;
}

/** All of an alert in one text; what is cut is never the link at its end. */
export function messageText(
  context: AlertContext,
  { most, sizeOf = ({ length }) => length, mark, withSubject = true, withLink = true }: TextForm,
): string {
  const summary = summaryOf(context);
  const link = withLink ? `\n\n${pageUrlOf(context)}` : "";
  const head = withSubject ? [mark?.(summary.subject) ?? summary.subject, ""] : [];
  const lines = [...head, ...summaryLines(summary, mark)];
  return takeLines(lines, most - sizeOf(link), sizeOf).join("\n") + link;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
