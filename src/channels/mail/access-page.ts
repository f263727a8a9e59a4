import type { AccessChange, AccessMail } from "../../domain/system-mail.ts";
import { isLinkLike } from "../../kit/net/link-like.ts";
import { oneLine } from "../format/one-line.ts";
import { instantText } from "../format/times.ts";
import { textToHtml } from "./text-to-html.ts";

const NAME_LENGTH = 40;

const sentences: Readonly<Record<AccessChange, string>> = {
  password: "Your password was changed",
  role: "Your role was changed",
  mailbox: "The email address that you sign in with was changed",
  "factor added": "A second factor was added to your sign-in",
  "factor removed": "A second factor was removed from your sign-in",
  codes: "Your recovery codes were replaced",
};

/** Tells a person that somebody changed how they sign in. */
export function accessPage(
  { change, accountId, accountName, timeZone, client, createdAt }: AccessMail,
  url: string,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const named = isLinkLike(accountName) ? "" : oneLine(accountName, NAME_LENGTH);
  const sentence = sentences[change];
  const text = `${sentence} for Watchpost, the uptime monitoring at ${url}

Account: ${named === "" ? accountId : `"${named}"`}
Time: ${instantText(createdAt, timeZone)}${client === "" ? "" : `\nFrom: ${client}`}

All other browsers are signed out. If you or an owner of the account made this change, there is nothing to do. If not, tell an owner of the account, and choose a new password: ${url}/forgot
`;
  return { subject: `${sentence} (${new URL(url).hostname})`, text, html: textToHtml(text) };
}
