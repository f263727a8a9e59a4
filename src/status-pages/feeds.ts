import { keptUpdates, type Incident } from "../domain/status/incident.ts";
import { html, plainText, textOf } from "../kit/html.ts";
import { markdown } from "./markdown.ts";
import { jsonDocument, type PublicDocument } from "./public-document.ts";
import type { Outdated } from "./outdated.ts";
import type { StatusView } from "./status-view.ts";
import { ageIn, createDates, wordsIn } from "./words.ts";

const MAX_ENTRIES = 50;

interface Entry {
  readonly at: number;
  readonly id: string;
  readonly title: string;
  /** Markup. */
  readonly content: string;
}

/** Address of a page, with scheme and host. */
type Address = string;

export function atomFeed(
  view: StatusView,
  address: Address,
  outdated: Outdated | undefined,
): PublicDocument {
  const entries = entriesOf(view, address).map(
    ({ id, title, at, content }) =>
      html`<entry
        ><id>${id}</id><title>${title}</title><updated>${iso(at)}</updated
        ><link href="${address}" /><content type="html">${content}</content></entry
      >`,
  );
  const updated = entriesOf(view, address)[0]?.at ?? view.page.createdAt;
  const age = ageOf(view, outdated);
  const subtitle = age && html`<subtitle>${age}</subtitle>`;
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${view.page.language}"
    ><id>${address}</id><title>${view.page.title}</title>${subtitle}<updated
      >${iso(updated)}</updated
    ><author><name>${view.page.title}</name></author
    ><link href="${address}" /><link rel="self" href="${address}/feed.atom" />${entries}</feed
  >`;
  return xmlDocument("application/atom+xml", textOf(feed));
}

export function rssFeed(
  view: StatusView,
  address: Address,
  outdated: Outdated | undefined,
): PublicDocument {
  const items = entriesOf(view, address).map(
    ({ id, title, at, content }) =>
      html`<item><guid isPermaLink="false">${id}</guid><title>${title}</title><link>${address}</link><pubDate>${new Date(at).toUTCString()}</pubDate><description>${content}</description></item>`,
  );
  const { title, language } = view.page;
  const feed = html`<rss version="2.0"><channel><title>${title}</title><link>${address}</link><description>${ageOf(view, outdated) ?? title}</description><language>${language}</language>${items}</channel></rss>`;
  return xmlDocument("application/rss+xml", textOf(feed));
}

/** JSON Feed 1.1. */
export function jsonFeed(
  view: StatusView,
  address: Address,
  outdated: Outdated | undefined,
): PublicDocument {
  const age = ageOf(view, outdated);
  const document = jsonDocument({
    version: "https://jsonfeed.org/version/1.1",
    title: plainText(view.page.title),
    ...(age !== undefined && { description: age }),
    home_page_url: address,
    feed_url: `${address}/feed.json`,
    language: view.page.language,
    items: entriesOf(view, address).map(({ id, title, at, content }) => ({
      id,
      url: address,
      title: plainText(title),
      content_html: content,
      date_published: iso(at),
    })),
  });
  return { ...document, headers: { "content-type": "application/feed+json; charset=utf-8" } };
}

/** Whether there is anything newer nobody knows then. */
function ageOf({ page, timeZone }: StatusView, outdated: Outdated | undefined): string | undefined {
  const words = wordsIn(page.language);
  return ageIn({ words, dates: createDates(page.language, timeZone) }, outdated)?.sentence;
}

/** One for each update, the newest first. */
function entriesOf({ page, incidents }: StatusView, address: Address): readonly Entry[] {
  const words = wordsIn(page.language);
  const entryOf = (
    { id, title }: Incident,
    { at, stage, text, place }: ReturnType<typeof keptUpdates>[number],
  ): Entry => ({
    at,
    id: `${address}#${id}-${place}`,
    title: `${words.stage[stage]}: ${title}`,
    content: textOf(markdown(text)),
  });
  return incidents
    .flatMap((incident) => keptUpdates(incident).map((update) => entryOf(incident, update)))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, MAX_ENTRIES);
}

function xmlDocument(type: string, feed: string): PublicDocument {
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": "default-src 'none'; sandbox",
    },
    body: `<?xml version="1.0" encoding="utf-8"?>${feed}`,
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
