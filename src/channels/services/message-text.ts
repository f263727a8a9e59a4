import type { AlertContext } from "../channel.ts";
import { summaryLines, takeLines, withoutLinks, type Mark } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";

interface TextForm {
  /** Its largest size, in what `sizeOf` counts: UTF-16 units unless given. */
  readonly most: number;
  readonly sizeOf?: (text: string) => number;
  readonly mark?: Mark;
  /** False if the subject is shown elsewhere. */
  readonly withSubject?: boolean;
  /** Included links: all, all except the final one to the check, or none. */
  readonly links?: "all" | "facts" | "none";
}

/** All of an alert in one text; what is cut is never the link at its end. */
export function messageText(
  context: AlertContext,
  { most, sizeOf = ({ length }) => length, mark, withSubject = true, links = "all" }: TextForm,
): string {
  const whole = summaryOf(context);
  const summary = links === "none" ? withoutLinks(whole) : whole;
  const link = links === "all" ? `\n\n${pageUrlOf(context)}` : "";
  const head = withSubject ? [mark?.(summary.subject) ?? summary.subject, ""] : [];
  const lines = [...head, ...summaryLines(summary, mark)];
  return takeLines(lines, most - sizeOf(link), sizeOf).join("\n") + link;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
