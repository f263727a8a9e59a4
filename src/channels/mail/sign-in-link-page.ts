import { signInUrl } from "../../domain/account/session.ts";
import type { LinkMail } from "../../domain/system-mail.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import { isLinkLike } from "../../kit/net/link-like.ts";
import { oneLine } from "../format/one-line.ts";
import { textToHtml } from "./text-to-html.ts";

const NAME_LENGTH = 40;

/** Has who forgot a password choose another one. */
export function signInLinkPage(
  { accountId, accountName, to, secret }: LinkMail,
  url: string,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const named = isLinkLike(accountName) ? "" : oneLine(accountName, NAME_LENGTH);
  const name = named === "" ? accountId : `"${named}"`;
  const link = signInUrl(url, secret);
  const beginning = `Somebody asked for a new password for ${to}, in the account ${name} of Watchpost, the uptime monitoring at ${url}`;
  const end = `The link works once, for an hour. If you did not ask for it, you can ignore this mail: your password stays as it is.`;
  return {
    subject: `Choose a new password for Watchpost (${new URL(url).hostname})`,
    text: `${beginning}\n\nChoose a new password: ${link}\n\n${end}\n`,
    html: textToHtml(
      beginning,
      `<p><a href="${escapeHtml(link)}">Choose a new password</a></p><p>${escapeHtml(end)}</p>`,
    ),
  };
}
