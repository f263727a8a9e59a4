import { Temporal } from "temporal-polyfill";

import { firstInstantAt } from "../../domain/account/time-zone.ts";
import type { Notes } from "./imported.ts";

const MAX_MINUTES = 10_080;

interface Recurrence {
  /** Such as 03:00 or 03:00:00. */
  readonly time: string | undefined;
  /** From 0, which is Sunday; every day if empty. */
  readonly weekdays?: readonly number[];
  readonly monthDays?: readonly number[];
}

/** Returns the cron expression of a window; undefined if its time is invalid. */
export function cronOf({ time, weekdays = [], monthDays = [] }: Recurrence): string | undefined {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(time ?? "") ?? [];
  if (hour === undefined) return undefined;
  const listOf = (days: readonly number[]): string =>
    days.length === 0 || days.length === 7 ? "*" : [...new Set(days)].toSorted(byNumber).join(",");
  const days = monthDays.length === 0 ? "*" : [...new Set(monthDays)].toSorted(byNumber).join(",");
  return `${Number(minute)} ${Number(hour)} ${days} * ${listOf(weekdays)}`;
}

function byNumber(one: number, other: number): number {
  return one - other;
}

/** Returns the instant of a local time such as `2026-11-28 03:00` in a zone; undefined if either is invalid. */
export function instantIn(zone: string, local: string | undefined): number | undefined {
  try {
    return firstInstantAt(zone, Temporal.PlainDateTime.from((local ?? "").replace(" ", "T")));
  } catch {
    return undefined;
  }
}

/** The minutes of a window, as many as one may have. */
export function durationOf(seconds: number, notes: Notes): number {
  const duration = Math.min(Math.max(1, Math.ceil(seconds / 60)), MAX_MINUTES);
  if (duration * 60 !== seconds) notes.changed("duration", `${seconds} s becomes ${duration} min`);
  return duration;
}

export function noteRest(notes: Notes): void {
  notes.changed("effect", "checks do not run meanwhile; there only alerts were held");
}
