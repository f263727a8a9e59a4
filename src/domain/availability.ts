import type { Span } from "./span.ts";

/** Durations of a check's states on one day, in ms. */
export interface DayTimes {
  readonly enabledMs: number;
  /** The part of the enabled time in which the state was known: from the first verdict on. */
  readonly measuredMs: number;
  /** At most the enabled time. */
  readonly downMs: number;
  /** Not part of the enabled time. */
  readonly maintenanceMs: number;
}

/** `partly` is down for part of the enabled time; `none` has neither measurements nor maintenance. */
export const dayStates = ["up", "partly", "down", "maintenance", "none"] as const;
export type DayState = (typeof dayStates)[number];

export interface DayAvailability extends DayTimes {
  /** The instant at which it begins, GMT. */
  readonly day: number;
  readonly state: DayState;
}

export const DAY_MS = 86_400_000;

const nothing: DayTimes = { enabledMs: 0, measuredMs: 0, downMs: 0, maintenanceMs: 0 };

/** Every day that has a part in [from, to), in order: the bars of a check. */
export function availability(
  times: ReadonlyMap<number, DayTimes>,
  { from, to }: { readonly from: number; readonly to: number },
): readonly DayAvailability[] {
  const first = dayOf(from);
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / DAY_MS)) }, (_, index) => {
    const day = first + index * DAY_MS;
    const ofDay = times.get(day) ?? nothing;
    return { day, state: dayState(ofDay), ...ofDay };
  });
}

export function dayState({ enabledMs, measuredMs, downMs, maintenanceMs }: DayTimes): DayState {
  if (measuredMs === 0) return maintenanceMs > 0 ? "maintenance" : "none";
  if (downMs === 0) return "up";
  return downMs < enabledMs ? "partly" : "down";
}

/** Splits a span within [from, to) by day. */
export function* partsByDay(
  { start, end }: Span,
  { from, to }: { readonly from: number; readonly to: number },
): Iterable<readonly [day: number, ms: number]> {
  const last = Math.min(end ?? to, to);
  for (let at = Math.max(start, from); at < last;) {
    const day = dayOf(at);
    const next = Math.min(day + DAY_MS, last);
    yield [day, next - at];
    at = next;
  }
}

/** The instant at which the day of an instant begins, GMT. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}
