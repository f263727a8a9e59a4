import { signInUrl } from "../../domain/account/session.ts";
import type { LinkMail } from "../../domain/system-mail.ts";
import { isLinkLike } from "../../kit/net/link-like.ts";
import { oneLine } from "../format/one-line.ts";
import { textToHtml } from "./text-to-html.ts";

const NAME_LENGTH = 40;

export interface Invitation {
  readonly mail: LinkMail & Required<Pick<LinkMail, "invitation">>;
  /** The public address of this installation. */
  readonly url: string;
  /** Fills the account's or the operator's own welcome, with the link in the place of a password; undefined where there is none. */
  readonly ownText: ((password: string) => string) | undefined;
}

/** Invites a contact to choose a password, and names the person who invites it. */
export function invitationPage({ mail, url, ownText }: Invitation): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} {
  const { accountId, accountName, to, secret, invitation } = mail;
  const [account, name, by] = [accountName, invitation.name, invitation.by].map((each) =>
    isLinkLike(each) ? "" : oneLine(each, NAME_LENGTH),
  );
  const invited = by ? `${by} invited you` : "You are invited";
  const beginning = `${invited} to the account ${account ? `"${account}"` : accountId} of Watchpost, the uptime monitoring at ${url}.`;
  const link = signInUrl(url, secret);
  const end = `The link lets you choose a password. It works once, for 7 days; after that, get another one at ${url}/forgot.
If you did not expect this, somebody took your address for theirs. You can ignore this mail.`;
  const text =
    ownText === undefined
      ? `Hello ${name || to},\n\n${beginning}\n\nSign in with: ${to}\nChoose a password: ${link}\n\n${end}\n`
      : `${ownText(link)}\n\n--\n${beginning}\n${end}\n`;
  const subject = `Your invitation to Watchpost (${new URL(url).hostname})`;
  return { subject, text, html: textToHtml(text) };
}
