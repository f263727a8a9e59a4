import { LRUCache } from "lru-cache";

import type { Invalidation } from "../domain/change.ts";
import { hostNameOf, isWithinDomains, type StatusPage } from "../domain/status/status-page.ts";
import { TooManyRequests } from "../kit/errors.ts";
import { acceptedEncoding } from "../kit/http/accepted-encoding.ts";
import { createFairSemaphore } from "../kit/concurrency/fair-semaphore.ts";
import { matchesEtag } from "../kit/http/etag.ts";
import type { MinuteBudget } from "../kit/http/minute-budget.ts";
import type { Clock } from "../kit/clock.ts";
import type { Reads, Store } from "../store/store.ts";
import type { PageName } from "../store/tables/status-pages.ts";
import { planBadge } from "./badge-routes.ts";
import { createResponseTimes, type ResponseTimesReader } from "./response-times.ts";
import {
  createDocumentCache,
  encodings,
  type DocumentPlan,
  type DocumentCacheDeps,
  type CachedDocument,
} from "./document-cache.ts";
import { createPageAccess, type AccessDeps, type PageAccessRules } from "./page-access.ts";
import { notFound } from "./small-page.ts";
import type { PublicDocument } from "./public-document.ts";
import type { PublicRequest } from "./public-request.ts";
import { planReport } from "./report-routes.ts";
import { findTarget } from "./status-routes.ts";
import { createManage, type ManageDeps } from "./subscriptions/manage.ts";
import { createSubscribe, type SubscribeDeps } from "./subscriptions/subscribe.ts";
import { viewOf, weightOf } from "./status-view.ts";
import { MAX_AGE_MS, withTimeout } from "./with-timeout.ts";

const FRESH_MS = 10_000;
const MAX_ENTRIES = 1000;

/** Public content without a token: reports of public checks, badges, and status pages. */
export interface PublicPages {
  /** Whether the host of a request is one that only status pages have. */
  readonly isStatusHost: (host: string | undefined) => boolean;
  /** Throws InvalidInput, TooManyRequests or Unavailable. */
  readonly respond: (request: PublicRequest) => Promise<PublicDocument>;
}

interface Deps
  extends Omit<AccessDeps, "clock" | "store">, Omit<ManageDeps & SubscribeDeps, "clock" | "store"> {
  readonly store: Pick<
    Store,
    | "accounts"
    | "changes"
    | "checks"
    | "importedHistories"
    | "incidents"
    | "results"
    | "states"
    | "statusPages"
    | "subscribers"
    | "write"
  >;
  readonly clock: Clock;
  readonly stoppedSince: DocumentCacheDeps["stoppedSince"];
  /** Requests a minute of one client address. */
  readonly requests: MinuteBudget;
  readonly statusDomains: readonly string[];
  /** Whether there is a mail server. */
  readonly canSendMail: boolean;
}

/** Documents are rendered a few at a time, so that requests for many different ones take little time from checks and the API. */
const MAKING = {
  slots: 2,
  maxWaiting: 200,
  maxWaitMs: 10_000,
  refusal: "too many public pages are being made",
};
/** Shared caches may show a document for as long as this installation keeps it. */
const CACHED_SECONDS = 10;

interface Site {
  readonly deps: Deps;
  readonly responseTimes: ResponseTimesReader;
  readonly pages: ShownPages;
  readonly access: PageAccessRules;
  /** Renders within the limits of the client. */
  readonly get: (plan: DocumentPlan, client: string) => Promise<CachedDocument | undefined>;
  readonly domainOf: (host: string | undefined) => string | undefined;
  readonly subscribe: ReturnType<typeof createSubscribe>;
  readonly manage: ReturnType<typeof createManage>;
}

export function createPublicPages(deps: Deps): PublicPages {
  const { store, clock, requests } = deps;
  const kept = createDocumentCache(deps);
  const pages = createShownPages(store.statusPages, clock);
  store.changes.subscribe((change) => {
    kept.forget(change);
    pages.forget(change);
  });
  const making = createFairSemaphore(clock, MAKING);
  const responseTimes = createResponseTimes(deps);
  const site: Site = {
    deps,
    responseTimes,
    pages,
    access: createPageAccess(deps),
    get: ({ key, make }, client) => kept.get({ key, make: () => making.run(client, make) }),
    domainOf: createDomains(deps),
    subscribe: createSubscribe(deps),
    manage: createManage(deps),
  };
  return {
    isStatusHost: (host) => site.domainOf(host) !== undefined,
    async respond(request) {
      // guard: rate of public pages
      if (!requests.spend(request.client, 1))
        throw new TooManyRequests(
          "too many requests of this address",
          requests.secondsLeft(request.client),
        );
      return (
        (await respondToProxy(site, request)) ??
        (await respondToSubscriber(site, request)) ??
        (await respondWithStatus(site, request)) ??
        respondWithReport(site, request)
      );
    },
  };
}

/** Tells a proxy whether to get a certificate for a domain, for Caddy's `ask`; undefined for any other path. */
async function respondToProxy(
  { domainOf, pages }: Site,
  { headers, query, segments }: PublicRequest,
): Promise<PublicDocument | undefined> {
  if (segments.join("/") !== "reports/domains" || domainOf(headers.host) !== undefined)
    return undefined;
  const domain = domainOf(query.get("domain") ?? undefined);
  const page = domain === undefined ? undefined : await pages.find({ domain });
  return page === undefined ? missing : privately(domainDocument);
}

/** Undefined if the path is not that of links in mails to subscribers. */
async function respondToSubscriber(
  { domainOf, manage }: Site,
  request: PublicRequest,
): Promise<PublicDocument | undefined> {
  const isOnDomain = domainOf(request.headers.host) !== undefined;
  const path = request.segments.join("/");
  if (path !== (isOnDomain ? "subscriptions" : "reports/subscriptions")) return undefined;
  return privately(await manage(request));
}

/** Undefined if the path is not that of a status page. */
async function respondWithStatus(
  { deps, responseTimes, pages, access, get, domainOf, subscribe }: Site,
  request: PublicRequest,
): Promise<PublicDocument | undefined> {
  const domain = domainOf(request.headers.host);
  const target = findTarget(request, { url: deps.url, domain });
  if (target === undefined) return domain === undefined ? undefined : missing;
  const page = await pages.find(target.name);
  if (page === undefined) return missing;
  const refusal = await access.refuse(page, request);
  if (refusal !== undefined) return privately(refusal);
  const { key, make, takesSubscribers } = target.part;
  const isForm = takesSubscribers && page.hasSubscribeForm && deps.canSendMail;
  if (isForm && request.method === "POST") return privately(await subscribe(page, request));
  const found = await get(
    {
      key: `status ${page.id} ${page.modifiedAt} ${key}`,
      async make() {
        const view = await viewOf({ ...deps, responseTimes }, page);
        const show = make(view);
        return show && { accountId: page.accountId, show, weight: weightOf(view) };
      },
    },
    request.client,
  );
  if (found === undefined) return missing;
  const document = await forClient(found, request);
  return page.access === "public" ? publicly(document) : privately(document);
}

async function respondWithReport(
  { deps, get }: Site,
  request: PublicRequest,
): Promise<PublicDocument> {
  const plan = planReport(deps, request) ?? planBadge(deps, request);
  const found = plan && (await get(plan, request.client));
  return found === undefined ? missing : publicly(await forClient(found, request));
}

/** The domain of a request whose host is one of those that status pages may have, and not the installation's own. */
function createDomains({ statusDomains, url }: Deps): Site["domainOf"] {
  const own = new URL(url).hostname;
  return (host) => {
    if (statusDomains.length === 0) return undefined;
    const name = hostNameOf(host ?? "");
    const isOurs = name !== undefined && name !== own && isWithinDomains(name, statusDomains);
    return isOurs ? name : undefined;
  };
}

async function forClient(
  { document, etag, encoded }: CachedDocument,
  { headers: { "if-none-match": ifNoneMatch, "accept-encoding": accepted } }: PublicRequest,
): Promise<PublicDocument> {
  const headers = { ...document.headers, vary: "accept-encoding", etag };
  if (matchesEtag(etag, ifNoneMatch)) return { status: 304, headers, body: "" };
  const encoding = acceptedEncoding(accepted, encodings);
  if (encoding === undefined) return { ...document, headers };
  return {
    status: document.status,
    headers: { ...headers, "content-encoding": encoding },
    body: await encoded(encoding),
  };
}

/** For pages of any origin, and for shared caches. */
function publicly(document: PublicDocument): PublicDocument {
  const shared = {
    "cache-control": `public, max-age=${CACHED_SECONDS}`,
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  };
  return { ...document, headers: { ...shared, ...document.headers } };
}

/** For nobody but the browser that asked. */
function privately(document: PublicDocument): PublicDocument {
  return { ...document, headers: { ...document.headers, "cache-control": "private, no-store" } };
}

const missing = privately(notFound);
const domainDocument: PublicDocument = {
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "a status page has this domain\n",
};

/** Pages by the names that strangers use: read once for all who ask within some seconds. */
interface ShownPages {
  readonly find: (name: PageName) => Promise<StatusPage | undefined>;
  readonly forget: (change: Invalidation) => void;
}

interface Entry {
  readonly page: StatusPage;
  readonly readAt: number;
}

function createShownPages(
  pages: Pick<Reads["statusPages"], "findShown">,
  clock: Clock,
): ShownPages {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  let changes = 0;
  return {
    async find(name) {
      const key = JSON.stringify(name);
      const known = entries.get(key);
      const ageMs = clock.monotonic() - (known?.readAt ?? -Infinity);
      if (known !== undefined && ageMs < FRESH_MS) return known.page;
      const before = changes;
      try {
        const reading = pages.findShown(name);
        const page = await (known === undefined ? reading : withTimeout(reading, clock));
        entries.delete(key);
        if (page === undefined || before !== changes) return page;
        entries.set(key, { page, readAt: clock.monotonic() });
        return page;
      } catch (error) {
        if (known === undefined || clock.monotonic() - known.readAt > MAX_AGE_MS) throw error;
        return known.page;
      }
    },
    forget(change) {
      changes += 1;
      for (const [key, { page }] of entries)
        if (change === "everything" || page.accountId === change.accountId) entries.delete(key);
    },
  };
}
