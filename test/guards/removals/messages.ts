import type { Guard } from "../guard.ts";

/** What messages say, and to whom they go. */
export const messagesGuards: Readonly<Record<string, Guard>> = {
  "Markdown of strangers": {
    file: "src/channels/format/markup.ts",
    text: "return text.replaceAll(/[\\\\`*_{}[\\]()#+\\-.!>~|]/g, String.raw`\\$&`);",
    without: "return text;",
    test: {
      file: "src/channels/services/discord.test.ts",
      name: "Discord: nothing that strangers say is more than text, and none of it is too long",
    },
  },
  "code spans": {
    file: "src/channels/format/markup.ts",
    text: 'text.replaceAll("`", "\'")',
    without: "text",
    test: {
      file: "src/channels/format/markup.test.ts",
      name: "a code span holds all of a line, and ends where it does",
    },
  },
  "tags and mentions": {
    file: "src/channels/format/markup.ts",
    text: 'return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? "");',
    without: "return text;",
    test: {
      file: "src/channels/services/slack.test.ts",
      name: "Slack: nothing that strangers say is more than text, and none of it is too long",
    },
  },
  "invisible characters and directions": {
    file: "src/channels/format/one-line.ts",
    text: '.replaceAll(/\\p{Cf}/gu, "")',
    without: "",
    test: {
      file: "src/channels/email.test.ts",
      name: "a label can add neither a header, a recipient nor markup",
    },
  },
  "line breaks": {
    file: "src/channels/format/one-line.ts",
    text: '.replaceAll(/[\\s\\p{Cc}\\p{Zl}\\p{Zp}]+/gu, " ")',
    without: "",
    test: {
      file: "src/channels/format/alert-text.test.ts",
      name: "every line of a summary is one line of plain text and none is endless, whatever strangers wrote",
    },
  },
  "HTML of strangers": {
    file: "src/kit/http/escape-html.ts",
    text: 'return text.replaceAll(/[&<>"\']/g, (character) => entities[character] ?? "");',
    without: "return text;",
    test: {
      file: "src/channels/email.test.ts",
      name: "a label can add neither a header, a recipient nor markup",
    },
  },
  "encoded words in subjects": {
    file: "src/channels/mail/mailer.ts",
    text: "subject: withoutEncodedWords(subject)",
    without: "subject",
    test: {
      file: "src/channels/mail/branding-in-mail.test.ts",
      name: "no label breaks a header of a mail in own words, adds a line to it, or is markup",
    },
  },
  "one mailbox": {
    file: "src/channels/mail/mailbox.ts",
    text: "if (local === undefined || !fits) {",
    without: "if (false) {",
    test: {
      file: "src/channels/email.test.ts",
      name: 'email: the address "alice@example.com, eve@example.com" is refused with a word on what would be right',
    },
  },
  "senders of the operator's domains": {
    file: "src/channels/mail/senders.ts",
    text: 'kept.mailbox !== "" && !allowed.has(domainOf(kept.mailbox))',
    without: "false",
    test: {
      file: "src/channels/mail/senders.test.ts",
      name: 'the sender "Shop <a@sub.shop.example>" is refused: mailbox of example\\.org',
    },
  },
  "the alphabet of telephones": {
    file: "src/channels/format/gsm-text.ts",
    text: 'return Array.from(line.normalize("NFC"), transliterated).join("");',
    without: "return line;",
    test: {
      file: "src/channels/format/gsm-text.test.ts",
      name: "whatever is written, every character of what is sent is in the alphabet",
    },
  },
  "XML of calls": {
    file: "src/channels/providers/twilio.ts",
    text: "escapeXml(words)",
    without: "words",
    test: {
      file: "src/channels/voice.test.ts",
      name: "whatever strangers wrote, the provider reads it as text",
    },
  },
  "XML of webhooks": {
    file: "src/channels/webhook/request.ts",
    text: "? escapeXml : unchanged",
    without: "? unchanged : unchanged",
    test: {
      file: "src/channels/webhook/request.test.ts",
      name: "quotes and line breaks are escaped as the type of a text wants it",
    },
  },
  "JSON of webhooks": {
    file: "src/channels/webhook/request.ts",
    text: "return JSON.stringify(text).slice(1, -1);",
    without: "return text;",
    test: {
      file: "src/channels/webhook/request.test.ts",
      name: "whatever a label holds, JSON stays JSON and holds that label",
    },
  },
  "headers of webhooks": {
    file: "src/channels/webhook/request.ts",
    text: "oneLine(text, LONGEST_HEADER_VARIABLE);",
    without: "text;",
    test: {
      file: "src/channels/webhook/request.test.ts",
      name: "whatever a label holds, a header is one line that can be sent",
    },
  },
  "hosts of webhooks": {
    file: "src/channels/webhook/request.ts",
    text: "renderTemplate(parseTemplate(address), variables, percentEncoded)",
    without: "renderTemplate(parseTemplate(address), variables, unchanged)",
    test: {
      file: "src/channels/webhook/request.test.ts",
      name: "whatever a label holds, a call goes to the same host, and its parameters stay as many",
    },
  },
  "templates are read once": {
    file: "src/channels/format/template.ts",
    text: "return filled;",
    without:
      'return filled === "" || filled.length > 500 ? filled : renderTemplate(parseTemplate(filled), variables, escape);',
    test: {
      file: "src/channels/format/template.test.ts",
      name: "what a variable holds is never read as a template",
    },
  },
  "length of what is filled in": {
    file: "src/channels/format/template.ts",
    text: "if (filled.length > maxRenderedLength) break;",
    without: "",
    test: {
      file: "src/channels/format/template.test.ts",
      name: "no more is filled in than any text has room for, and each variable is escaped but once",
    },
  },
  "places of a destination": {
    file: "src/notifier/sending/destination.ts",
    text: "if (running >= limit) return;",
    without: "",
    test: {
      file: "src/notifier/fair-sending.test.ts",
      name: "3 destinations have one send each at a time until they answered, and then up to four",
    },
  },
  "places of an account": {
    file: "src/notifier/slots.ts",
    text: "claimed.exceedsFairShare(sharedKeysOf(queue), MOST_CLAIMED_OF_A_KIND)",
    without: "false",
    test: {
      file: "src/notifier/slots.test.ts",
      name: "an account has as many places as it leaves to all others, and those of another kind are not among them",
    },
  },
  "proof of an unsubscription": {
    file: "src/channels/mail/address-links.ts",
    text: 'constantTimeEquals(part("proof"), proofOf(linked))',
    without: "true",
    test: {
      file: "src/server/http-server.test.ts",
      name: "is nothing where a letter of it is another, or the address is gone",
    },
  },
  "unsubscription by POST alone": {
    file: "src/server/pages/page-routes.ts",
    text: "server.get(url, respond(ask));",
    without: "server.get(url, respond(act));",
    test: {
      file: "src/server/http-server.test.ts",
      name: "asks first, then suppresses that address and no other",
    },
  },
  "confirmation by POST alone": {
    file: "src/server/pages/page-routes.ts",
    text: "server.get(url, respond(ask));",
    without: "server.get(url, respond(act));",
    test: {
      file: "src/server/pages/confirm.test.ts",
      name: "asks first, and confirms that mailbox alone by a POST, as often as it is followed",
    },
  },
  "acknowledgement by POST alone": {
    file: "src/server/pages/page-routes.ts",
    text: "server.get(url, respond(ask));",
    without: "server.get(url, respond(act));",
    test: {
      file: "src/server/pages/acknowledge.test.ts",
      name: "following the link of an alert asks, and posting its form acknowledges the outage",
    },
  },
  "proof of an acknowledgement": {
    file: "src/channels/acknowledge-links.ts",
    text: "isOurs && address !== undefined ? linked",
    without: "address !== undefined ? linked",
    test: {
      file: "src/server/pages/acknowledge.test.ts",
      name: "a link that was changed, or whose outage is over, acknowledges nothing",
    },
  },
  "recipients of acknowledgements": {
    file: "src/channels/acknowledge-links.ts",
    text: "contactId, addressId, address])",
    without: "contactId, addressId])",
    test: {
      file: "src/server/pages/acknowledge.test.ts",
      name: "the link to an address that leads elsewhere by now acknowledges nothing, and nobody there is said to have",
    },
  },
  "proof of a calendar": {
    file: "src/channels/calendar-links.ts",
    text: "isEqual && account?.calendarKey",
    without: "account?.calendarKey",
    test: {
      file: "src/web/maintenance-calendar.test.ts",
      name: "a link that was changed, renewed, removed or never made leads nowhere",
    },
  },
  "keys of links": {
    file: "src/channels/mail/address-links.ts",
    text: "sealer.deriveKey(keyName)",
    without: 'sealer.deriveKey("")',
    test: {
      file: "src/server/pages/confirm.test.ts",
      name: "is nothing where a letter of it is another, where it is for another purpose or account, or the address is gone",
    },
  },
  "end of a link": {
    file: "src/web/confirm.ts",
    text: "if (until > clock.now()) return undefined;",
    without: "if (until > 0) return undefined;",
    test: {
      file: "src/server/pages/confirm.test.ts",
      name: "ends after two weeks, and says how to get another",
    },
  },
  "confirmed mailboxes": {
    file: "src/notifier/rules/confirmed.ts",
    text: "if (item.address.confirmed) return item;",
    without: "return item;",
    test: {
      file: "src/notifier/rules/mailboxes.long.test.ts",
      name: "a Down to a mailbox that nobody confirmed is sent once it is confirmed, and none that recovered before",
    },
  },
  "confirmation of a changed mailbox": {
    file: "src/api/resources/contacts/from-wire.ts",
    text: "address === known.address ? known.confirmed : confirmations.isConfirmed(known)",
    without: "known.confirmed",
    test: {
      file: "src/server/pages/confirm.test.ts",
      name: "is not one to the mailbox that came in the place of the one it was sent to, which is asked anew",
    },
  },
  "passwords to confirmed mailboxes": {
    file: "src/api/passwords.ts",
    text: "if (!(await isConfirmed(store.contacts, contact)))",
    without: "if (false)",
    test: {
      file: "src/server/pages/confirm.test.ts",
      name: "is followed by the welcome that waited for it, once",
    },
  },
  "tests to confirmed mailboxes": {
    file: "src/notifier/address-tester.ts",
    text: "const refusal = address.confirmed",
    without: "const refusal = true",
    test: {
      file: "src/notifier/contact-tester.test.ts",
      name: "a mailbox that nobody confirmed is sent no test, but the link for that, as often as it may be mailed",
    },
  },
  "mails of alerts to a mailbox": {
    file: "src/notifier/rules/mail-budget.ts",
    text: "if (!isMailbox(item.address)) return item;",
    without: "return item;",
    test: {
      file: "src/notifier/rules/mailboxes.long.test.ts",
      name: "alerts over the daily limit of a mailbox wait, and go in one mail then, with what was down before",
    },
  },
  "rate of tests": {
    file: "src/api/resources/contacts/test-contact.ts",
    text: "if (blocking !== undefined)",
    without: "if (false)",
    test: {
      file: "src/api/resources/contacts/test-contact.test.ts",
      name: "a contact is tested once a minute, whoever asks",
    },
  },
  "directions of text on pages": {
    file: "dashboard/parts/visible-text.ts",
    text: '.replaceAll(/\\p{Cf}|[^\\P{Cc}\\n\\t]/gu, "")',
    without: "",
    test: {
      file: "dashboard/parts/visible-text.test.ts",
      name: 'the dashboard shows a direction override as "goodgnp.exe"',
    },
  },
  "mails to a mailbox": {
    file: "src/store/tables/mail-budget.ts",
    text: "if (perMailbox === 0) return undefined;",
    without: "return undefined;",
    test: {
      file: "src/api/passwords.test.ts",
      name: "a mailbox gets few passwords an hour, however it is spelt and whoever asks; the contact is made all the same",
    },
  },
  "mails of an account": {
    file: "src/store/tables/mail-budget.ts",
    text: "if (perAccount === 0) return undefined;",
    without: "return undefined;",
    test: {
      file: "src/api/passwords.test.ts",
      name: "an account has only so many passwords mailed a day, those of its subaccounts included",
    },
  },
  "tests to a mailbox": {
    file: "src/notifier/address-tester.ts",
    text: "mailBudget.take({ mailbox, accountId, at: clock.now(), limits })",
    without: "Promise.resolve(mailBudget && undefined)",
    test: {
      file: "src/notifier/contact-tester.test.ts",
      name: "a mailbox gets only so many tests an hour, whichever addresses lead to it",
    },
  },
  "links in welcomes": {
    file: "src/channels/mail/mail-template.ts",
    text: "if (isLinkLike(lines))",
    without: "if (false)",
    test: {
      file: "src/channels/mail/mail-template.test.ts",
      name: 'welcome "{password} at bank.example" is refused: ^must hold no links',
    },
  },
  "length of welcomes": {
    file: "src/channels/mail/mail-template.ts",
    text: "parseLines(text, LONGEST_WELCOME)",
    without: "parseLines(text)",
    test: {
      file: "src/channels/mail/mail-template.test.ts",
      name: 'welcome "{password}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is refused: ^must be text of at most 2000',
    },
  },
};
