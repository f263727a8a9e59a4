import { nextStart, parseCron } from "./heartbeat/cron.ts";

/** Pauses checks for a while: at each time of its cron, or once where it has none. */
export interface Maintenance {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly durationMinutes: number;
  readonly checkIds: readonly string[];
  readonly enabled: boolean;
  /** Five fields, in the account's own time. */
  readonly cron: string | undefined;
  /** Of one without a cron: when it is to begin; undefined where that is at once. */
  readonly startsAt: number | undefined;
  /** When it begins next; undefined where it will not. */
  readonly nextAt: number | undefined;
  /** When it ends; undefined unless it is under way. */
  readonly endsAt: number | undefined;
  /** The newest first. */
  readonly history: readonly PastMaintenance[];
  readonly changedAt: number;
  /** The account whose token changed it. */
  readonly changedBy: string;
}

/** One time that it ran. */
export interface PastMaintenance {
  /** When it was to begin. */
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

/** What the owner of a maintenance sets. */
export type MaintenanceSettings = Pick<
  Maintenance,
  "name" | "durationMinutes" | "checkIds" | "enabled" | "cron" | "startsAt"
>;

interface When {
  readonly now: number;
  readonly timeZone: string;
}

export const longestMaintenanceMinutes = 7 * 24 * 60;
const KEPT = 10;
const STARTS_AHEAD = 100;
const MINUTE_MS = 60_000;

/** Why a cron cannot be used for a maintenance of that length; undefined where it can. */
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

/** When a maintenance begins next, by its cron or as planned. */
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

/** The step that is due by now. */
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

/** The maintenance with new settings. One that is under way gets its new length counted from its start. */
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

/** The maintenance after checks were added while it is under way. */
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
