import type { DayAvailability } from "../domain/availability.ts";
import { percentOf, summaryOf, type PublicSummary } from "../domain/status/public-check.ts";
import { checkIdsOf, type StatusPage } from "../domain/status/status-page.ts";
import type { Incident } from "../domain/status/incident.ts";
import type { Clock } from "../kit/clock.ts";
import type { Store } from "../store/store.ts";
import { stateWith } from "./affected.ts";
import type { ResponseTimes, ResponseTimesReader } from "./response-times.ts";
import { barsOf } from "./check-report.ts";

const YEAR_MS = 366 * 86_400_000;
/** Maximum checks read for all pages of the account, and for one. */
const MAX_READ = 500;
const MAX_SHOWN = 100;

export interface StatusDeps {
  readonly store: Pick<Store, "accounts" | "incidents" | "states" | "statusPages">;
  readonly clock: Pick<Clock, "now">;
  /** Whether there is a mail server. */
  readonly canSendMail: boolean;
  readonly responseTimes: ResponseTimesReader;
}

/** A status page as it is now: chosen words, states and figures, and nothing else of a check. */
export interface StatusView {
  readonly page: StatusPage;
  readonly timeZone: string;
  readonly state: PublicSummary;
  readonly sections: readonly SectionView[];
  /** Incidents of the last year and open ones, newest first. */
  readonly incidents: readonly Incident[];
  /** Whether people can subscribe by mail. */
  readonly takesSubscribers: boolean;
}

export interface SectionView {
  readonly name: string;
  readonly state: PublicSummary;
  readonly checks: readonly CheckView[];
}

export interface CheckView {
  readonly name: string;
  readonly uuid: string;
  /** As it was measured, unless an incident that is posted says that it is affected. */
  readonly state: PublicSummary;
  readonly days: readonly DayAvailability[];
  readonly percent: number | undefined;
  /** Set if the page has charts and the check was timed. */
  readonly times?: ResponseTimes | undefined;
}

/** About what a day of a check takes, in bytes. */
const DAY_WEIGHT = 80;

/** About how many bytes a view takes. */
export function weightOf({ sections }: StatusView): number {
  const checks = sections.flatMap((section) => section.checks);
  return DAY_WEIGHT * checks.reduce((sum, { days }) => sum + days.length, 0);
}

/** Checks that were deleted are left out, and so are those of other accounts, whatever the page says. */
export async function viewOf(deps: StatusDeps, page: StatusPage): Promise<StatusView> {
  const { store } = deps;
  const ids = checkIdsOf(page);
  const states =
    ids.length === 0 ? new Map() : await store.statusPages.shownStates(page.accountId, ids);
  const nos = [...states.values()].map(({ no }) => no);
  const bars = await barsOf(deps, nos);
  const times = page.charts && (await deps.responseTimes.read(nos, page.charts));
  const account = await store.accounts.find(page.accountId);
  const incidents = await incidentsOf(deps, page);
  const sections = page.sections.map(({ name, checks }): SectionView => {
    const shown = checks.flatMap((check): readonly CheckView[] => {
      const found = states.get(check.id);
      if (found === undefined) return [];
      const days = bars.get(found.no) ?? [];
      const { uuid } = found;
      const state = stateWith(found.state, check.id, incidents);
      const percent = percentOf(days);
      return [{ name: check.name, uuid, state, days, percent, times: times?.get(found.no) }];
    });
    return { name, state: summaryOf(shown.map(({ state }) => state)), checks: shown };
  });
  const all = sections.flatMap(({ checks }) => checks.map(({ state }) => state));
  return {
    page,
    timeZone: page.timeZone ?? account?.timeZone ?? "UTC",
    state: summaryOf(all),
    sections,
    incidents,
    takesSubscribers: deps.canSendMail && page.hasSubscribeForm,
  };
}

async function incidentsOf(
  { store, clock }: StatusDeps,
  { id, accountId }: StatusPage,
): Promise<readonly Incident[]> {
  const from = clock.now() - YEAR_MS;
  const all = await store.incidents.listPublished(accountId, { from, limit: MAX_READ });
  return all.filter(({ pageIds }) => pageIds?.includes(id) ?? true).slice(0, MAX_SHOWN);
}
