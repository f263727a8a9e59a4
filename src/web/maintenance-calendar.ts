import type { CalendarLinks } from "../channels/calendar-links.ts";
import type { Account } from "../domain/account/account.ts";
import type { Clock } from "../kit/clock.ts";
import { etagOf, matchesEtag } from "../kit/http/etag.ts";
import type { Store } from "../store/store.ts";
import { icalendar } from "./icalendar.ts";
import { maintenanceEvents } from "./maintenance-events.ts";
import { linkPage, type LinkPage, type LinkPages, type PageRequest } from "./link-page.ts";

interface Deps {
  readonly store: Pick<Store, "accounts" | "checks" | "maintenances">;
  readonly calendarLinks: Pick<CalendarLinks, "accountIn" | "isLinkOf">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

const KEPT_MS = 60_000;
const MOST_KEPT = 100;

interface Kept {
  readonly until: number;
  readonly body: Promise<string>;
}

/** The maintenances of an account, for calendar programs that have its link. Each account's is made once a minute at most, however many ask. */
export function createMaintenanceCalendar({ store, calendarLinks, clock }: Deps): LinkPages {
  const kept = new Map<string, Kept>();

  const bodyOf = (account: Account): Promise<string> => {
    const now = clock.monotonic();
    const known = kept.get(account.id);
    if (known !== undefined && known.until > now) return known.body;
    kept.delete(account.id);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest);
    const body = maintenanceEvents(store, account, clock.now()).then((events) =>
      icalendar(`${account.name || "Watchpost"}: maintenances`, events),
    );
    kept.set(account.id, { until: now + KEPT_MS, body });
    body.catch(() => kept.delete(account.id));
    return body;
  };

  const show = async (
    query: URLSearchParams,
    _form: URLSearchParams,
    { headers }: PageRequest,
  ): Promise<LinkPage> => {
    const account = await store.accounts.find(calendarLinks.accountIn(query));
    const isLink = calendarLinks.isLinkOf(query, account);
    if (!isLink || account === undefined || account.status === "deleted")
      return linkPage(
        404,
        "<p>This link leads to no calendar: it is not whole, or was renewed.</p>",
      );
    return calendarPage(await bodyOf(account), headers["if-none-match"]);
  };
  return { ask: show, act: show };
}

function calendarPage(body: string, ifNoneMatch: string | undefined): LinkPage {
  const etag = etagOf(body);
  const isKnown = matchesEtag(etag, ifNoneMatch);
  return {
    status: isKnown ? 304 : 200,
    headers: {
      etag,
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": 'inline; filename="maintenance.ics"',
      "cache-control": "private, max-age=60",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
    },
    body: isKnown ? "" : body,
  };
}
