import {
  percentOf,
  publicNameOf,
  publicStateOf,
  type PublicState,
} from "../domain/status/public-check.ts";
import { availability, DAY_MS, dayOf, type DayAvailability } from "../domain/availability.ts";
import type { Uptime } from "../domain/span.ts";
import { CLOCK_SKEW_TOLERANCE_MS, type Clock } from "../kit/clock.ts";
import type { StoredResult } from "../store/results.ts";
import type { Store } from "../store/store.ts";
import type { CheckRecord } from "../store/tables/checks.ts";

export interface ReportDeps {
  readonly store: Pick<Store, "accounts" | "checks" | "importedHistories" | "results" | "states">;
  readonly clock: Pick<Clock, "now">;
}

/** Public data of a check, without its target, its account, and the target's response. */
export interface CheckReport {
  readonly uuid: string;
  readonly name: string;
  readonly type: string;
  readonly state: PublicState;
  readonly timeZone: string;
  readonly record: CheckRecord;
}

/** Public data of one result. */
export interface PublicResult {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly tick: number;
  readonly passed: boolean;
  readonly runtimeMs: number;
}

export interface UptimeRow extends Uptime {
  /** `2026-01`, `2026-01-05` or `total`. */
  readonly period: string;
}

/** Days that the bars of a page show. */
const BAR_DAYS = 90;
const UUID = /^[\da-z]{8}(?:-[\da-z]{4}){3}-[\da-z]{12}$/;

/** Undefined if the check does not exist or is not public, or its account is suspended. */
export async function findReport(
  { store }: Pick<ReportDeps, "store">,
  uuid: string,
): Promise<CheckReport | undefined> {
  const record = UUID.test(uuid) ? await store.checks.findPublic(uuid) : undefined;
  if (record === undefined) return undefined;
  const account = await store.accounts.find(record.check.accountId);
  if (account === undefined) return undefined;
  return {
    uuid,
    name: publicNameOf(record.check),
    type: record.check.type,
    state: publicStateOf(record),
    timeZone: account.timeZone,
    record,
  };
}

export async function recentResults(
  { store, clock }: ReportDeps,
  { record: { check } }: Pick<CheckReport, "record">,
  limit: number,
): Promise<readonly PublicResult[]> {
  const found: StoredResult[] = [];
  const to = clock.now() + CLOCK_SKEW_TOLERANCE_MS;
  for await (const page of store.results.page({
    checkNo: check.no,
    from: 0,
    to,
    limit,
    order: "newest",
  }))
    found.push(...page);
  return found.map(({ startedAt, endedAt, tick, passed, runtimeMs }) => ({
    startedAt,
    endedAt,
    tick,
    passed,
    runtimeMs: Math.round(runtimeMs),
  }));
}

interface UptimeRange {
  readonly from: number;
  readonly to: number;
  readonly period: "days" | "months";
}

/** Returns rows by GMT day or month, in order, with the total last. */
export async function uptimeRows(
  { store }: Pick<ReportDeps, "store">,
  { no }: Pick<CheckRecord["check"], "no">,
  { from, to, period }: UptimeRange,
): Promise<readonly UptimeRow[]> {
  const times = (await store.states.listDayTimes([no], from, to)).get(no) ?? new Map();
  const days = availability(times, { from, to });
  const rows = Map.groupBy(days, ({ day }) =>
    new Date(day).toISOString().slice(0, period === "days" ? 10 : 7),
  );
  return [...[...rows].map(([name, ofPeriod]) => rowOf(name, ofPeriod)), rowOf("total", days)];
}

/** The bars: one for each of the last days, the oldest first. */
export async function barsOf(
  {
    store,
    clock,
  }: {
    readonly store: Pick<Store, "states">;
    readonly clock: Pick<Clock, "now">;
  },
  checkNos: readonly number[],
): Promise<ReadonlyMap<number, readonly DayAvailability[]>> {
  const to = clock.now() + 1;
  const from = dayOf(to) - (BAR_DAYS - 1) * DAY_MS;
  const times = await store.states.listDayTimes(checkNos, from, to);
  return new Map(
    checkNos.map((no) => [no, availability(times.get(no) ?? new Map(), { from, to })]),
  );
}

function rowOf(period: string, days: readonly DayAvailability[]): UptimeRow {
  return {
    period,
    enabledMs: days.reduce((sum, { enabledMs }) => sum + enabledMs, 0),
    downMs: days.reduce((sum, { downMs }) => sum + downMs, 0),
    percent: percentOf(days),
  };
}
