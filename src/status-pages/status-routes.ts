import { readFileSync } from "node:fs";

import type { StatusPage } from "../domain/status/status-page.ts";
import type { PageName } from "../store/tables/status-pages.ts";
import { badgeJson, badgeSvg, withAge, type Badge } from "./badge.ts";
import { atomFeed, jsonFeed, rssFeed } from "./feeds.ts";
import type { Outdated } from "./outdated.ts";
import type { PublicDocument } from "./public-document.ts";
import type { PublicRequest } from "./public-request.ts";
import { statusDocument } from "./status-content.ts";
import { listChecksJson, statusJson } from "./status-figures.ts";
import { subscribePage } from "./subscriptions/pages.ts";
import type { StatusView } from "./status-view.ts";
import { ageIn, createDates, wordsIn } from "./words.ts";

const CACHED_SECONDS = 300;

/** The script with which any page shows how a status page is; it finds out by its own address which. */
const widgetScript: PublicDocument = {
  status: 200,
  headers: {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": `public, max-age=${CACHED_SECONDS}`,
  },
  body: readFileSync(new URL("./widget.js", import.meta.url)),
};

/** A part of a status page, of the view of it. */
export interface StatusPart {
  readonly key: string;
  readonly make: (view: StatusView) => Show | undefined;
  /** Whether it has the form by which people subscribe. */
  readonly takesSubscribers: boolean;
}

type Show = (outdated: Outdated | undefined) => PublicDocument;

/** Page and part of it that a request is about. */
export interface StatusTarget {
  readonly name: PageName;
  readonly part: StatusPart;
}

interface Site {
  /** The public address of the installation. */
  readonly url: string;
  /** Domain of the request, if it may belong to a page. */
  readonly domain: string | undefined;
}

const SLUG = /^[\da-z-]{1,63}$/;
const ID = /^[\dA-Z]{10}$/;

/** Undefined if no status page has such a path. */
export function findTarget(
  { segments }: Pick<PublicRequest, "segments">,
  { url, domain }: Site,
): StatusTarget | undefined {
  const { protocol, origin, pathname } = new URL(url);
  const placeOf = (path: string): Place => {
    const base = `${pathname.replace(/\/+$/, "")}${path}`;
    return { base, address: `${origin}${base}` };
  };
  if (domain !== undefined)
    return targetOf({ domain }, segments, { base: "", address: `${protocol}//${domain}` });
  const [folder, kind, id = "", ...rest] = segments;
  if (folder === "status") {
    const [, slug = "", ...parts] = segments;
    return SLUG.test(slug) ? targetOf({ slug }, parts, placeOf(`/status/${slug}`)) : undefined;
  }
  if (folder !== "reports" || !ID.test(id)) return undefined;
  if (kind === "status") return targetOf({ id }, rest, placeOf(`/reports/status/${id}`));
  const isList = kind === "statusevents" && rest.length === 1 && rest[0] === "listchecks";
  return isList
    ? { name: { id }, part: { key: "listchecks", make: showList, takesSubscribers: false } }
    : undefined;
}

/** Address of a page: as a path of the host, and with scheme and host. */
interface Place {
  readonly base: string;
  readonly address: string;
}

function targetOf(
  name: PageName,
  segments: readonly string[],
  place: Place,
): StatusTarget | undefined {
  if (segments.length > 1) return undefined;
  const [segment = ""] = segments;
  const make = parts.get(segment);
  return (
    make && {
      name,
      part: {
        key: `${place.address} ${segment}`,
        make: (view) => make(view, place),
        takesSubscribers: segment === SUBSCRIBE,
      },
    }
  );
}

const showList: StatusPart["make"] = (view) => (outdated) => listChecksJson(view, outdated);

type MakePart = (view: StatusView, place: Place) => Show | undefined;

const SUBSCRIBE = "subscribe";

const parts: ReadonlyMap<string, MakePart> = new Map<string, MakePart>([
  [
    "",
    (view, { base }) =>
      (outdated) =>
        statusDocument(view, base, outdated),
  ],
  ["logo", ({ page }) => logoOf(page)],
  [
    SUBSCRIBE,
    ({ page, takesSubscribers }, { base }) =>
      takesSubscribers ? () => subscribePage(page, { back: `${base}/` }) : undefined,
  ],
  ["status.json", (view) => (outdated) => statusJson(view, outdated)],
  ["widget.js", () => () => widgetScript],
  ["badge.svg", (view) => (outdated) => badgeSvg(badgeOf(view, outdated))],
  ["badge.json", (view) => (outdated) => badgeJson(badgeOf(view, outdated))],
  [
    "feed.atom",
    (view, { address }) =>
      (outdated) =>
        atomFeed(view, address, outdated),
  ],
  [
    "feed.rss",
    (view, { address }) =>
      (outdated) =>
        rssFeed(view, address, outdated),
  ],
  [
    "feed.json",
    (view, { address }) =>
      (outdated) =>
        jsonFeed(view, address, outdated),
  ],
]);

function badgeOf({ page, state, timeZone }: StatusView, outdated: Outdated | undefined): Badge {
  const words = wordsIn(page.language);
  const dates = createDates(page.language, timeZone);
  const badge = { label: page.title, message: words.state[state], state };
  return withAge(badge, ageIn({ words, dates }, outdated));
}

function logoOf({ logo = "" }: StatusPage): Show | undefined {
  const [, type = "", base64 = ""] = /^data:(image\/[a-z]+);base64,(.*)$/.exec(logo) ?? [];
  if (type === "") return undefined;
  return () => ({
    status: 200,
    headers: { "content-type": type, "content-security-policy": "default-src 'none'; sandbox" },
    body: Buffer.from(base64, "base64"),
  });
}
