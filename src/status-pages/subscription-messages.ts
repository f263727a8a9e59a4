import { commonHeaders, unsubscribeHeaders } from "../channels/mail/headers.ts";
import { mailPage, type Tone } from "../channels/mail/layout.ts";
import { paragraphs } from "../channels/mail/text-to-html.ts";
import { oneLine } from "../channels/format/one-line.ts";
import type { SubscriberLinks } from "../channels/subscriber-links.ts";
import {
  isClosed,
  stageOf,
  type Incident,
  type IncidentUpdate,
} from "../domain/status/incident.ts";
import type { StatusPage } from "../domain/status/status-page.ts";
import { messageIdOf, type PageMessage } from "../domain/status/subscriber.ts";
import { escapeHtml } from "../kit/http/escape-html.ts";
import { isLinkLike } from "../kit/net/link-like.ts";
import { plainText, textOf } from "../kit/html.ts";
import { markdown } from "./markdown.ts";
import { createDates, wordsIn } from "./words.ts";
import { subscriberWords } from "./subscriptions/words.ts";

export interface SubscriberMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Message to a subscriber: the page, and the new updates of an incident. */
export interface NewUpdates {
  readonly message: PageMessage;
  readonly page: StatusPage;
  /** Time zone of the page. */
  readonly timeZone: string;
  readonly incident: Incident;
  /** At least one. */
  readonly updates: readonly IncidentUpdate[];
}

export interface AskedSubscriber {
  readonly message: PageMessage;
  readonly page: StatusPage;
  readonly mailbox: string;
}

/** Messages to subscribers of status pages. */
export interface SubscriptionMessages {
  readonly requestMail: (asked: AskedSubscriber) => SubscriberMail;
  readonly updateMail: (update: NewUpdates) => SubscriberMail;
  /** The body of a webhook. */
  readonly updateBody: (update: NewUpdates) => string;
}

/** All that an account may say to people who do not know it: too short for a message. */
const NAME_LENGTH = 60;
const SUBJECT_LENGTH = 200;

export function createSubscriptionMessages({
  links,
  url,
}: {
  readonly links: SubscriberLinks;
  /** The public address of this installation. */
  readonly url: string;
}): SubscriptionMessages {
  const host = new URL(url).hostname;
  const stopOf = ({ subscriberId }: PageMessage, page: StatusPage): string =>
    links.linkOf({ subscriberId, purpose: "stop" }, page);
  const headersOf = (message: PageMessage, stop: string) => ({
    ...commonHeaders(messageIdOf(message), host),
    ...unsubscribeHeaders(stop),
  });
  return {
    requestMail({ message, page, mailbox }) {
      const words = subscriberWords(page.language);
      const stop = stopOf(message, page);
      const confirm = links.linkOf(
        { subscriberId: message.subscriberId, purpose: "confirm" },
        page,
      );
      const address = links.addressOf(page);
      // guard: names of pages to strangers = else
      const title = isLinkLike(page.title)
        ? new URL(address).host
        : oneLine(page.title, NAME_LENGTH);
      const beginning = words.mailBeginning(mailbox, title, address);
      return {
        subject: words.mailSubject(title),
        text: `${beginning}\n\n${words.confirm}: ${confirm}\n\n${words.mailEnd}\n\n${words.refuse}: ${stop}\n`,
        html: mailPage({
          tone: "neutral",
          word: words.subscribe,
          title,
          preview: beginning,
          content: paragraphs(`${beginning}\n\n${words.mailEnd}`),
          button: { text: words.confirm, url: confirm },
          stop,
          stopWords: words.refuse,
          language: page.language,
        }),
        headers: headersOf(message, stop),
      };
    },
    updateMail(update) {
      const { message, page, incident } = update;
      const words = subscriberWords(page.language);
      const stop = stopOf(message, page);
      const address = links.addressOf(page);
      const { heading, text, html } = updatesText(update);
      const title = oneLine(incident.title, SUBJECT_LENGTH);
      const name = oneLine(page.title, NAME_LENGTH);
      return {
        subject: `[${name}] ${heading}: ${title}`,
        text: `${title}\n\n${text}\n\n${words.readMore}: ${address}\n\n-- \n${words.why(name)}\n${words.stop}: ${stop}\n`,
        html: mailPage({
          tone: toneOf(incident),
          word: heading,
          title,
          preview: `${name}: ${heading}`,
          content: `${html}<p class="quiet" style="margin:24px 0 0;color:#5d6672;font-size:13px">${escapeHtml(words.why(name))}</p>`,
          button: { text: words.readMore, url: address },
          stop,
          stopWords: words.stop,
          language: page.language,
        }),
        headers: { ...headersOf(message, stop), ...threadOf(update, host) },
      };
    },
    updateBody: (update) => bodyOf(update, links.addressOf(update.page)),
  };
}

/** The updates in the order in which they were posted. */
function updatesText({ page, timeZone, updates, incident }: NewUpdates): {
  readonly heading: string;
  readonly text: string;
  readonly html: string;
} {
  const { stage: stages } = wordsIn(page.language);
  const dates = createDates(page.language, timeZone);
  const { startsAt, endsAt, kind } = incident;
  const planned =
    kind === "maintenance" && endsAt !== undefined
      ? `${dates.instant(startsAt)} – ${dates.instant(endsAt)}`
      : undefined;
  const parts = updates.map(({ at, stage, text }) => ({
    head: `${stages[stage]}, ${dates.instant(at)}`,
    text: plainText(text).trim(),
    html: textOf(markdown(text)),
  }));
  return {
    heading: stages[updates.at(-1)?.stage ?? stageOf(incident)],
    text: [
      ...(planned === undefined ? [] : [planned]),
      ...parts.map(({ head, text }) => (text === "" ? head : `${head}\n\n${text}`)),
    ].join("\n\n"),
    html: [
      ...(planned === undefined ? [] : [`<p><strong>${escapeHtml(planned)}</strong></p>`]),
      ...parts.map(
        (part) =>
          `<p class="quiet" style="margin:16px 0 0;color:#5d6672;font-size:13px">${escapeHtml(part.head)}</p><div style="overflow-wrap:anywhere">${part.html}</div>`,
      ),
    ].join(""),
  };
}

function toneOf(incident: Incident): Tone {
  if (isClosed(incident)) return "passing";
  return incident.kind === "maintenance" ? "neutral" : "failing";
}

/** All mails about an incident are one thread (RFC 5322, 3.6.4). */
function threadOf({ message, incident }: NewUpdates, host: string): Record<string, string> {
  const id = `<${incident.id}.incident@${host}>`;
  return { References: id, ...((message.post?.from ?? 0) > 0 && { "In-Reply-To": id }) };
}

function bodyOf({ message, page, incident, updates }: NewUpdates, url: string): string {
  const { id, kind, title, startsAt, endsAt } = incident;
  const last = updates.at(-1);
  return JSON.stringify({
    type: "statuspage.updated",
    id: messageIdOf(message),
    page: { id: page.id, name: page.title, url },
    incident: {
      id,
      kind,
      name: title,
      stage: last?.stage,
      start: new Date(startsAt).toISOString(),
      ...(endsAt !== undefined && { end: new Date(endsAt).toISOString() }),
    },
    updates: updates.map(({ at, stage, text }) => ({
      at: new Date(at).toISOString(),
      stage,
      text,
    })),
  });
}
