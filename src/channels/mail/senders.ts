import { domainToASCII } from "node:url";

import { InvalidInput } from "../../kit/errors.ts";
import { parseMailbox } from "./mailbox.ts";
import { oneLine } from "../format/one-line.ts";

/** Whom mails may show as their sender. */
export interface Senders {
  /** The operator's own. */
  readonly defaultSender: string;
  /** Returns a sender as it is stored; throws InvalidInput with the expected format. */
  readonly parse: (text: string) => string;
  /** Whom a mail shows: who is wanted, the name alone where the mailbox is not allowed any more, or the operator's own. */
  readonly resolve: (wanted: string | undefined) => string;
}

interface Sender {
  readonly name: string;
  /** Empty if there is only a name. */
  readonly mailbox: string;
}

const MAX_NAME_LENGTH = 100;

/** Accounts send through the operator's mail server: under any name, but only from mailboxes of the operator's domains. */
export function createSenders({
  own: defaultSender,
  domains,
}: {
  readonly own: string;
  /** Domains allowed besides that of the operator's own mailbox. */
  readonly domains: readonly string[];
}): Senders {
  const { mailbox: ownMailbox } = readSender(defaultSender);
  const allowed = new Set(
    [domainOf(ownMailbox), ...domains.map((domain) => domainToASCII(domain))].filter(
      (domain) => domain !== "",
    ),
  );
  return {
    defaultSender: defaultSender,
    parse(text) {
      const { name, mailbox } = readSender(text);
      const kept = { name: parseName(name), mailbox: mailbox === "" ? "" : parseOwnable(mailbox) };
      // guard: senders of the operator's domains
      if (kept.mailbox !== "" && !allowed.has(domainOf(kept.mailbox)))
        throw new InvalidInput(
          allowed.size === 0
            ? "must be a name alone, for this installation has no mailbox to send from: WATCHPOST_MAIL_FROM"
            : `must be a name, or one with a mailbox of ${[...allowed].join(", ")} (whoever runs this installation allows more by WATCHPOST_MAIL_FROM_DOMAINS), not ${JSON.stringify(mailbox)}`,
        );
      return textOf(kept);
    },
    resolve(wanted) {
      const { name, mailbox } = readSender(wanted ?? "");
      if (allowed.has(domainOf(mailbox))) return textOf({ name, mailbox });
      return name === "" ? defaultSender : textOf({ name, mailbox: ownMailbox });
    },
  };
}

/** The name and the mailbox of what was parsed, or of the operator's own. */
export function readSender(text: string): Sender {
  const [, name, mailbox = ""] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  if (name !== undefined) return { name: unquoted(name.trim()), mailbox };
  return text.includes("@") ? { name: "", mailbox: text.trim() } : { name: text, mailbox: "" };
}

/** A quoted string in a header, without its quotes (RFC 5322, 3.2.4). */
function unquoted(name: string): string {
  const [, quoted] = /^"(.*)"$/.exec(name) ?? [];
  return quoted === undefined ? name : quoted.replaceAll(/\\(.)/g, "$1");
}

/** One line in which nothing looks like a mailbox, for many programs show a name and no more. */
function parseName(text: string): string {
  const name = oneLine(text, Infinity);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || /[<>@"\\]|=\?/.test(name.normalize("NFKC")))
    throw new InvalidInput(
      'must be a name without < > @ " =? and backslashes, in one line, and may have a mailbox after it, such as Shop <alerts@example.com>',
    );
  if (name.length > MAX_NAME_LENGTH)
    throw new InvalidInput(`must have a name of at most ${MAX_NAME_LENGTH} characters`);
  return name;
}

/** A mailbox that needs nothing special of any mail server. */
function parseOwnable(text: string): string {
  const mailbox = parseMailbox(text);
  const domain = domainOf(mailbox);
  const ascii = mailbox.replace(/@.*$/, `@${domain}`);
  if (domain === "" || !/^[!-~]+$/.test(ascii))
    throw new InvalidInput(
      `must have a mailbox in letters of ASCII before the @, not ${JSON.stringify(mailbox)}`,
    );
  return ascii;
}

function domainOf(mailbox: string): string {
  return domainToASCII(mailbox.split("@")[1] ?? "");
}

function textOf({ name, mailbox }: Sender): string {
  if (mailbox === "") return name;
  return name === "" ? mailbox : `${name} <${mailbox}>`;
}
