import { escapeHtml } from "../../kit/http/escape-html.ts";
import { isLinkLike } from "../../kit/net/link-like.ts";
import { oneLine } from "../format/one-line.ts";
import { textToHtml } from "./text-to-html.ts";

interface Asked {
  readonly accountId: string;
  readonly accountName: string;
  readonly mailbox: string;
  /** The public address of this installation. */
  readonly url: string;
  readonly link: string;
  readonly stop: string;
}

/** All that an account may say to people who do not know it: too short for a message. */
const NAME_LENGTH = 40;

/** Asks the owner of a mailbox to agree to alerts. */
export function confirmationPage({ accountId, accountName, mailbox, url, link, stop }: Asked): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} {
  const named = isLinkLike(accountName) ? "" : oneLine(accountName, NAME_LENGTH);
  const name = named === "" ? accountId : `"${named}"`;
  const beginning = `Somebody asked for alerts of the account ${name} to be sent to ${mailbox}.

Watchpost, the uptime monitoring at ${url}, sends none there until you agree.`;
  const end = `If you did not expect this mail, you can ignore it: then no alerts are sent to you. The link works for two weeks.`;
  return {
    subject: `Do you want alerts at this address? (${new URL(url).hostname})`,
    text: `${beginning}

Agree: ${link}

${end}

Send nothing to this address: ${stop}
`,
    html: textToHtml(
      beginning,
      `<p><a href="${escapeHtml(link)}">Agree to alerts</a></p><p>${escapeHtml(end)}</p><p><small><a href="${escapeHtml(stop)}">Send nothing to this address</a></small></p>`,
    ),
  };
}
