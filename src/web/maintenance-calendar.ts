import { setImmediate } from "node:timers/promises";

import { LRUCache } from "lru-cache";

import type { CalendarLinks } from "../channels/calendar-links.ts";
import type { Account } from "../domain/account/account.ts";
import { plannedStarts, type Maintenance } from "../domain/maintenance.ts";
import type { Clock } from "../kit/clock.ts";
import { etagOf, matchesEtag } from "../kit/http/etag.ts";
import { html } from "../kit/html.ts";
import type { Store } from "../store/store.ts";
import type { CalendarEvent } from "./icalendar.ts";
import { linkPage, type LinkPage, type LinkPages, type PageRequest } from "./link-page.ts";

interface Deps {
  readonly store: Pick<Store, "accounts" | "checks" | "maintenances">;
  readonly calendarLinks: Pick<CalendarLinks, "accountIn" | "isLinkOf">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

const KEPT_MS = 60_000;
const MAX_KEPT = 100;

interface Kept {
  readonly until: number;
  readonly body: Promise<string>;
}

/** The maintenances of an account, for calendar programs that have its link. Each account's is made once a minute at most, however many ask. */
export function createMaintenanceCalendar({ store, calendarLinks, clock }: Deps): LinkPages {
  const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

  const bodyOf = (account: Account): Promise<string> => {
    const now = clock.monotonic();
    const known = kept.get(account.id);
    if (known !== undefined && known.until > now) return known.body;
    const body = calendarOf(store, account, clock.now());
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
        html`<p>This link leads to no calendar: it is not whole, or was renewed.</p>`,
      );
    return calendarPage(await bodyOf(account), headers["if-none-match"]);
  };
  return { ask: show, act: show };
}

/** Loads the library only where an account has a calendar. */
async function calendarOf(
  store: Pick<Store, "checks" | "maintenances">,
  account: Account,
  now: number,
): Promise<string> {
  const { icalendar } = await import("./icalendar.ts");
  const events = await maintenanceEvents(store, account, now);
  return icalendar(`${account.name || "Watchpost"}: maintenances`, events);
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

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_AHEAD = 90;

/** Maximum starts of one maintenance. */
const MAX_STARTS = 100;

/** Finding this many takes up to 10 ms. */
const STARTS_OF_TURN = 10;

const MAX_EVENTS = 2000;
const MAX_LABELS = 10;

/** Returns past, current, and future maintenance periods of an account. */
async function maintenanceEvents(
  { checks, maintenances }: Pick<Store, "checks" | "maintenances">,
  { id: accountId, timeZone }: Pick<Account, "id" | "timeZone">,
  now: number,
): Promise<readonly CalendarEvent[]> {
  const events: CalendarEvent[] = [];
  const until = now + DAYS_AHEAD * DAY_MS;
  for (const maintenance of await maintenances.list(accountId)) {
    const { history, name, durationMinutes, changedAt } = maintenance;
    const starts = new Set(history.map(({ at }) => at));
    for (const start of plannedStarts(maintenance, { until, timeZone }).take(MAX_STARTS)) {
      starts.add(start);
      if (starts.size % STARTS_OF_TURN === 0) await setImmediate();
    }
    if (starts.size > 0) {
      const description = await describeChecks(checks, maintenance);
      const common = { changedAt, summary: name || "Maintenance", description };
      for (const startsAt of starts) {
        const endsAt = startsAt + durationMinutes * MINUTE_MS;
        const uid = `${accountId}-${maintenance.id}-${startsAt}@watchpost`;
        events.push({ ...common, uid, startsAt, endsAt });
      }
    }
    if (events.length >= MAX_EVENTS) break;
    await setImmediate();
  }
  return events.slice(0, MAX_EVENTS).toSorted((one, other) => one.startsAt - other.startsAt);
}

async function describeChecks(
  checks: Store["checks"],
  { accountId, checkIds }: Maintenance,
): Promise<string> {
  const labels: string[] = [];
  for (const id of checkIds.slice(0, MAX_LABELS)) {
    const found = await checks.find(accountId, id);
    if (found !== undefined) labels.push(found.check.label);
  }
  const others = checkIds.length - MAX_LABELS;
  return [...labels, ...(others > 0 ? [`and ${others} more checks`] : [])].join("\n");
}
