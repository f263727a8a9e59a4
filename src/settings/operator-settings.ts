import { z } from "zod";

import { parseMailbox } from "../channels/mail/mailbox.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { messageOf } from "../kit/errors.ts";

const secretUrl = z.string().transform((text, context) => {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new Secret(text);
  context.addIssue("must be a URL that begins with http:// or https://");
  return z.NEVER;
});

const operatorMailbox = z.string().transform((text, context) => {
  try {
    return parseMailbox(text);
  } catch (error) {
    context.addIssue(messageOf(error));
    return z.NEVER;
  }
});

/** Recipients of problems with the service itself. */
export const operatorSettings = {
  WATCHPOST_OPERATOR_EMAIL: operatorMailbox.optional().meta({
    fallback: "none",
    meaning:
      "The email address that is alerted when the service itself has a [problem](self-monitoring.md); requires `WATCHPOST_SMTP_URL`",
  }),
  WATCHPOST_OPERATOR_WEBHOOK: secretUrl.optional().meta({
    fallback: "none",
    meaning:
      "A URL that is alerted too, in the format of [its service](channels.md#services) or as a [webhook](webhooks.md): set both, because the mail server may be the problem",
  }),
  WATCHPOST_DEAD_MANS_SWITCH_URL: secretUrl.optional().meta({
    fallback: "none",
    meaning:
      "A URL that is requested every minute while nothing critical is wrong with the service. The service behind it alerts you once the requests stop, also when this machine is gone",
  }),
};
