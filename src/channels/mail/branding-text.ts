import type { AlertContext } from "../channel.ts";
import { oneLine } from "../format/one-line.ts";
import { truncate } from "../format/alert-lines.ts";
import { renderTemplate, parseTemplate } from "../format/template.ts";
import { variablesOf } from "../format/template-variables.ts";

const LONGEST_SUBJECT = 250;
const LONGEST_TEXT = 30_000;
/** What one variable may add. */
const LONGEST_IN_SUBJECT = 120;
const LONGEST_IN_TEXT = 1000;

export interface BrandingText {
  readonly subject: string | undefined;
  readonly text: string | undefined;
}

/** An alert in the account's own words for mails; undefined where the usual ones are to stand. */
export function renderBranding(telling: AlertContext): BrandingText {
  const { branding, kind } = telling;
  // It has to be known as a test, whatever the account says of alerts.
  if (kind === "test") return { subject: undefined, text: undefined };
  const subject = filled(branding?.[`${kind}Subject`], telling, LONGEST_IN_SUBJECT);
  const text = filled(branding?.[`${kind}Text`], telling, LONGEST_IN_TEXT);
  return {
    subject: subject && (oneLine(subject, LONGEST_SUBJECT) || undefined),
    text: text && truncate(text, LONGEST_TEXT),
  };
}

/** What strangers say brings no lines of its own. */
function filled(
  template: string | undefined,
  telling: AlertContext,
  longest: number,
): string | undefined {
  if (template === undefined) return undefined;
  try {
    const text = renderTemplate(parseTemplate(template), variablesOf(telling), (value) =>
      oneLine(value, longest),
    );
    return text.trim() === "" ? undefined : text;
  } catch {
    // The usual words are better than no alert.
    return undefined;
  }
}
