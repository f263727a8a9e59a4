import { MAX_RECHECK_WAIT, totalRecheckWaitMs } from "../../domain/run/recheck-wait.ts";
import type { Notes } from "./imported.ts";

const MAX_SECONDS = 90;
const MAX_RECHECKS = 20;
const MAX_DESCRIPTION_LENGTH = 1000;
const MAX_INTERVAL_MINUTES = 525_600;

/** Returns the minutes between runs; supported fractions are a half and a quarter. */
export function intervalOf(seconds: number | undefined, notes: Notes): { interval?: number } {
  if (seconds === undefined || seconds <= 0) return {};
  const parts = [0.25, 0.5].find((minutes) => seconds <= minutes * 60);
  const interval = Math.min(parts ?? Math.ceil(seconds / 60), MAX_INTERVAL_MINUTES);
  if (interval * 60 !== seconds)
    notes.changed("interval", `${seconds} s becomes ${interval * 60} s`);
  return { interval };
}

/** The timeout of a run. */
export function timeoutOf(seconds: number | undefined, notes: Notes): { threshold?: number } {
  if (seconds === undefined || seconds <= 0) return {};
  const threshold = Math.min(Math.max(1, Math.ceil(seconds)), MAX_SECONDS);
  if (threshold !== seconds) notes.changed("timeout", `${seconds} s becomes ${threshold} s`);
  return { threshold };
}

export function recheckOf(retries: number | undefined, notes: Notes): { sens?: number } {
  if (retries === undefined || retries < 0) return {};
  const sens = Math.min(Math.trunc(retries), MAX_RECHECKS);
  if (sens !== retries) notes.changed("retries", `${retries} become ${sens}`);
  return { sens };
}

interface Retries {
  readonly retries: number;
  /** Seconds before each of them. */
  readonly seconds: number;
  readonly interval: number | undefined;
}

/** Seconds between two rechecks. Time that retries took beyond what rechecks take becomes a delay of the alerts. */
export function recheckWaitOf(
  { retries, seconds, interval = 1 }: Retries,
  notes: Notes,
): { readonly recheckwait?: number; readonly delay?: number } {
  if (retries <= 0 || seconds <= 0) return {};
  const recheckwait = Math.min(Math.round(seconds), MAX_RECHECK_WAIT);
  const check = { intervalMinutes: interval, rechecks: Math.min(retries, MAX_RECHECKS) };
  const takenMs = totalRecheckWaitMs({ check, recheckWait: recheckwait });
  const delay = Math.floor((retries * seconds - takenMs / 1000) / 60);
  if (delay <= 0) return { recheckwait };
  notes.changed(
    "retries",
    `rechecks are over ${Math.round(takenMs / 1000)} s after a failure, so alerts are delayed by ${delay} min`,
  );
  return { recheckwait, delay };
}

export function descriptionOf(sent: string | undefined, notes: Notes): { description?: string } {
  if (sent === undefined) return {};
  if (sent.length > MAX_DESCRIPTION_LENGTH)
    notes.changed("description", `cut to ${MAX_DESCRIPTION_LENGTH} characters`);
  return { description: sent.slice(0, MAX_DESCRIPTION_LENGTH) };
}

/** Returns the schedule of heartbeats: their interval, and how late they may be. */
export function heartbeatOf(
  { period, grace }: { readonly period: number; readonly grace: number },
  notes: Notes,
): { interval: number; grace?: number; oldresultfail: true; sens: number } {
  const interval = intervalOf(period, notes).interval ?? 1;
  // An interval that was made longer has a part of the grace in it.
  const left = (period + grace) / 60 - interval;
  return {
    interval,
    grace: Math.max(0.25, Math.ceil(left * 4) / 4),
    oldresultfail: true,
    sens: 1,
  };
}

/** Durations of Go, such as 1m30s; a number is in seconds. */
export function goSeconds(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^(?:\d+(?:\.\d+)?(?:ms|[smhdwy]))+$/.test(value))
    return undefined;
  const units: Readonly<Record<string, number>> = {
    ms: 0.001,
    s: 1,
    m: 60,
    h: 3600,
    d: 86_400,
    w: 604_800,
    y: 31_536_000,
  };
  return [...value.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdwy])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0),
    0,
  );
}
