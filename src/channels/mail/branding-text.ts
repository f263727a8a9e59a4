import type { AlertContext } from "../channel.ts";
import { oneLine } from "../format/one-line.ts";
import { truncate } from "../format/alert-lines.ts";
import { renderTemplate, parseTemplate } from "../format/template.ts";
import { variablesOf } from "../format/template-variables.ts";

const MAX_SUBJECT_LENGTH = 250;
const MAX_TEXT_LENGTH = 30_000;
/** Maximum length of one variable. */
const MAX_VARIABLE_LENGTH_IN_SUBJECT = 120;
const MAX_VARIABLE_LENGTH_IN_TEXT = 1000;

export interface BrandingText {
  readonly subject: string | undefined;
  readonly text: string | undefined;
}

/** Renders the account's own mail templates for an alert; undefined if the default text must be used. */
export function renderBranding(context: AlertContext): BrandingText {
  const { branding, kind } = context;
  // A test must be recognizable, whatever the templates are; what was missed has none.
  if (kind === "test" || kind === "missed") return { subject: undefined, text: undefined };
  const subject = filled(branding?.[`${kind}Subject`], context, MAX_VARIABLE_LENGTH_IN_SUBJECT);
  const text = filled(branding?.[`${kind}Text`], context, MAX_VARIABLE_LENGTH_IN_TEXT);
  return {
    subject: subject && (oneLine(subject, MAX_SUBJECT_LENGTH) || undefined),
    text: text && truncate(text, MAX_TEXT_LENGTH),
  };
}

/** Untrusted values are rendered without line breaks. */
function filled(
  template: string | undefined,
  context: AlertContext,
  longest: number,
): string | undefined {
  if (template === undefined) return undefined;
  try {
    const text = renderTemplate(parseTemplate(template), variablesOf(context), (value) =>
      oneLine(value, longest),
    );
    return text.trim() === "" ? undefined : text;
  } catch {
    // The default text is better than no alert.
    return undefined;
  }
}
