const MAX_QUOTED = 100;

/** The beginning of a text that was looked for, on one line. */
export function onOneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ");
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}

interface TextRule {
  readonly contentstring: string;
  /** Whether `contentstring` is a regular expression. */
  readonly regex?: boolean;
  /** Whether `contentstring` must not occur. */
  readonly invert: boolean;
}

/** The message of a failure by a text rule: the text that is missing, or that was found though it is forbidden. */
export function textFault({ contentstring, regex = false, invert }: TextRule): string {
  const name = invert
    ? `Forbidden ${regex ? "pattern" : "text"} found`
    : `${regex ? "Pattern" : "Text"} not found`;
  return `${name}: "${onOneLine(contentstring)}"`;
}
