import { nextStart, parseCron } from "./heartbeat/cron.ts";

/** Pauses checks at each time of its cron expression, or once if it has none. */
export interface Maintenance {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly durationMinutes: number;
  readonly checkIds: readonly string[];
  readonly enabled: boolean;
  /** Five fields, in the account's own time. */
  readonly cron: string | undefined;
  /** Start of a one-time maintenance; undefined if it starts immediately. */
  readonly startsAt: number | undefined;
  /** Next start; undefined if there is none. */
  readonly nextAt: number | undefined;
  /** End of the current period; undefined if it is not in progress. */
  readonly endsAt: number | undefined;
  /** The newest first. */
  readonly history: readonly PastMaintenance[];
  readonly changedAt: number;
  /** The account whose token changed it. */
  readonly changedBy: string;
}

/** One time that it ran. */
export interface PastMaintenance {
  /** Planned start. */
  readonly at: number;
  /** Ids of the checks that it paused. */
  readonly held: readonly string[];
  /** Ids of those that were off already, or deleted. */
  readonly skipped: readonly string[];
}

/** A start that is noticed only after its end is missed: it pauses nothing. */
export type MaintenanceStep =
  | { readonly kind: "begin" | "miss"; readonly at: number }
  | { readonly kind: "end" };

/** Settings of a maintenance that its owner controls. */
export type MaintenanceSettings = Pick<
  Maintenance,
  "name" | "durationMinutes" | "checkIds" | "enabled" | "cron" | "startsAt"
>;

interface When {
  readonly now: number;
  readonly timeZone: string;
}

export const maxMaintenanceMinutes = 7 * 24 * 60;
const KEPT = 10;
const STARTS_AHEAD = 100;
const MINUTE_MS = 60_000;

/** Returns the reason why a cron expression is unusable for a maintenance of that length; undefined if it is usable. */
export function cronError(
  cron: string,
  { durationMinutes, now }: { readonly durationMinutes: number; readonly now: number },
): string | undefined {
  const starts = parseCron(cron).nextRuns(STARTS_AHEAD, new Date(now));
  if (starts.length === 0) return "names no day that ever comes";
  const overlaps = starts.some(
    (start, index) =>
      start.getTime() - (starts[index - 1]?.getTime() ?? -Infinity) <= durationMinutes * MINUTE_MS,
  );
  return overlaps ? "begins again before it has ended" : undefined;
}

/** Returns the next start of a maintenance, by its cron expression or its plan. */
export function nextStartOf(
  {
    enabled,
    cron,
    startsAt,
    endsAt,
  }: Pick<Maintenance, "enabled" | "cron" | "startsAt" | "endsAt">,
  { now, timeZone }: When,
): number | undefined {
  if (!enabled) return undefined;
  if (cron === undefined) return endsAt === undefined ? Math.max(startsAt ?? now, now) : undefined;
  return nextStart(cron, Math.max(now, endsAt ?? now), timeZone);
}

/** Its next starts before `until`, one after the other: finding one takes up to a millisecond. */
export function* plannedStarts(
  { cron, nextAt }: Pick<Maintenance, "cron" | "nextAt">,
  { until, timeZone }: { readonly until: number; readonly timeZone: string },
): Generator<number, void, undefined> {
  let next = nextAt;
  while (next !== undefined && next < until) {
    yield next;
    next = cron === undefined ? undefined : nextStart(cron, next, timeZone);
  }
}

/** Returns the step that is due. */
export function dueStep(
  { nextAt, endsAt, durationMinutes }: Maintenance,
  now: number,
): MaintenanceStep | undefined {
  if (endsAt !== undefined) return endsAt <= now ? { kind: "end" } : undefined;
  if (nextAt === undefined || nextAt > now) return undefined;
  const isOver = nextAt + durationMinutes * MINUTE_MS <= now;
  return { kind: isOver ? "miss" : "begin", at: nextAt };
}

/** The maintenance after its start of `at`, however late that was noticed. */
export function withStart(
  maintenance: Maintenance,
  at: number,
  { held, timeZone }: { readonly held: readonly string[]; readonly timeZone: string },
): Maintenance {
  const endsAt = at + maintenance.durationMinutes * MINUTE_MS;
  const nextAt = nextStartOf({ ...maintenance, endsAt }, { now: at, timeZone });
  const past = { at, held, skipped: idsExcept(maintenance.checkIds, held) };
  return { ...withHistory(maintenance, past), endsAt, nextAt };
}

/** The maintenance after a start that was missed. Of several in a row the first goes into its history; one without a cron is disabled, for it has no other. */
export function withMissedStart(
  maintenance: Maintenance,
  at: number,
  { now, timeZone }: When,
): Maintenance {
  const { cron, durationMinutes, checkIds } = maintenance;
  const stillOn = now - durationMinutes * MINUTE_MS;
  const missed = withHistory(maintenance, { at, held: [], skipped: checkIds });
  return cron === undefined
    ? { ...missed, enabled: false, nextAt: undefined }
    : { ...missed, nextAt: nextStart(cron, Math.max(at, stillOn), timeZone) };
}

/** Returns the maintenance with new settings. The new length of a current period counts from its start. */
export function withSettings(
  known: Maintenance,
  wish: MaintenanceSettings,
  when: When,
): Maintenance {
  const { enabled, cron, startsAt, durationMinutes } = wish;
  const longerMs = (durationMinutes - known.durationMinutes) * MINUTE_MS;
  const endsAt = enabled && known.endsAt !== undefined ? known.endsAt + longerMs : undefined;
  const isSamePlan = cron === known.cron && startsAt === known.startsAt;
  const isOnPlan = enabled && known.enabled && isSamePlan && known.endsAt === undefined;
  const nextAt = isOnPlan ? known.nextAt : nextStartOf({ enabled, cron, startsAt, endsAt }, when);
  return { ...known, ...wish, endsAt, nextAt };
}

/** Returns the maintenance after checks were added during a period. */
export function withAddedChecks(
  maintenance: Maintenance,
  added: readonly string[],
  held: readonly string[],
): Maintenance {
  const [current, ...earlier] = maintenance.history;
  if (current === undefined) return maintenance;
  const { at, held: before, skipped } = current;
  const both = [...new Set([...before, ...held])];
  const left = idsExcept([...new Set([...skipped, ...added])], both);
  return { ...maintenance, history: [{ at, held: both, skipped: left }, ...earlier] };
}

export function idsExcept(ids: readonly string[], others: readonly string[]): readonly string[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}

function withHistory(maintenance: Maintenance, past: PastMaintenance): Maintenance {
  return { ...maintenance, history: [past, ...maintenance.history].slice(0, KEPT) };
}
