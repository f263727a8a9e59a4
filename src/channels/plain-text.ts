import type { AlertContext } from "./channel.ts";
import { subjectOf } from "./format/alert-text.ts";
import { messageText } from "./services/message-text.ts";

const MAX_TEXT = 10_000;

/** An alert in plain text, for who receives it apart from the accounts. */
export function plainTextOf(context: AlertContext): {
  readonly subject: string;
  readonly text: string;
} {
  return {
    subject: subjectOf(context),
    text: messageText(context, { most: MAX_TEXT, withSubject: false }),
  };
}
