import { setImmediate } from "node:timers/promises";

import type { Account } from "../domain/account/account.ts";
import { plannedStarts, type Maintenance } from "../domain/maintenance.ts";
import type { Store } from "../store/store.ts";
import type { CalendarEvent } from "./icalendar.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_AHEAD = 90;
/** Of one maintenance. */
const MOST_STARTS = 100;
/** Finding so many takes up to 10 ms. */
const STARTS_OF_TURN = 10;
const MOST_EVENTS = 2000;
const MOST_LABELS = 10;

/** What was, is and will be of the maintenances of an account. */
export async function maintenanceEvents(
  { checks, maintenances }: Pick<Store, "checks" | "maintenances">,
  { id: accountId, timeZone }: Pick<Account, "id" | "timeZone">,
  now: number,
): Promise<readonly CalendarEvent[]> {
  const events: CalendarEvent[] = [];
  const until = now + DAYS_AHEAD * DAY_MS;
  for (const maintenance of await maintenances.list(accountId)) {
    const { history, name, durationMinutes, changedAt } = maintenance;
    const starts = new Set(history.map(({ at }) => at));
    for (const start of plannedStarts(maintenance, { until, timeZone }).take(MOST_STARTS)) {
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
    if (events.length >= MOST_EVENTS) break;
    await setImmediate();
  }
  return events.slice(0, MOST_EVENTS).toSorted((one, other) => one.startsAt - other.startsAt);
}

async function describeChecks(
  checks: Store["checks"],
  { accountId, checkIds }: Maintenance,
): Promise<string> {
  const labels: string[] = [];
  for (const id of checkIds.slice(0, MOST_LABELS)) {
    const found = await checks.find(accountId, id);
    if (found !== undefined) labels.push(found.check.label);
  }
  const others = checkIds.length - MOST_LABELS;
  return [...labels, ...(others > 0 ? [`and ${others} more checks`] : [])].join("\n");
}
