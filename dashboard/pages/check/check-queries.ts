import { queryOptions } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";

export type Check = components["schemas"]["Check"];
export type Result = components["schemas"]["Result"];
export type PastEvent = components["schemas"]["PastEvent"];

/** In case that updates do not come through. */
const REFRESH_MS = 30_000;
/** Refresh interval of data that changes by the hour. */
const SLOW_REFRESH_MS = 60_000;
const MAX_EVENTS = 300;

/** Everything about one check has keys that begin so, for what changes it to invalidate. */
export const checkKey = (id: string) => ["check", id] as const;

const byPath = (id: string) => ({ path: { id } });

export const checkQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "record"],
    queryFn: async () => {
      const found = await dataOf(api.GET("/checks/{id}", { params: byPath(id) }));
      if (!isCheck(found)) throw new Error("the service answered with no check");
      return found;
    },
    refetchInterval: REFRESH_MS,
  });

/** Returns whether the target reports itself, so that nothing runs the check. */
export function isHeartbeat({ parameters }: Pick<Check, "parameters">): boolean {
  return "checktoken" in parameters;
}

/** Returns whether the check is on, and has had no result yet. */
export function isWaiting({ status, run }: components["schemas"]["Status"]): boolean {
  return status === "unknown" && run === undefined;
}

/** The state of the check as lists show it. */
export const statusQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "status"],
    queryFn: async () => {
      const [status] = await dataOf(api.GET("/statuses", { params: { query: { id: [id] } } }));
      return status ?? null;
    },
    refetchInterval: REFRESH_MS,
  });

export const lastResultQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "last"],
    queryFn: async () => {
      const query = { limit: 1, clean: true, detail: true };
      const results = await dataOf(api.GET("/results/{id}", { params: { ...byPath(id), query } }));
      return plainResults(results)[0] ?? null;
    },
    refetchInterval: REFRESH_MS,
  });

export interface HistoryWish {
  readonly from: number;
  readonly to: number | "now";
  readonly step?: "10min" | "hour" | "day";
  readonly isByLocation: boolean;
}

export const historyQuery = (id: string, { from, to, step, isByLocation }: HistoryWish) =>
  queryOptions({
    queryKey: [...checkKey(id), "history", from, to, step, isByLocation],
    queryFn: () => {
      const query = {
        start: from,
        end: to,
        bylocation: isByLocation,
        ...(step !== undefined && { step }),
      };
      return dataOf(api.GET("/results/history/{id}", { params: { ...byPath(id), query } }));
    },
    // Past data does not change.
    ...(to === "now" && { refetchInterval: SLOW_REFRESH_MS }),
    placeholderData: (previous) => previous,
  });

export const daysQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "days"],
    queryFn: async () => {
      const { start, checks } = await dataOf(api.GET("/results/days/{id}", { params: byPath(id) }));
      return { start, bars: checks[id] };
    },
    refetchInterval: SLOW_REFRESH_MS,
  });

export const monthsQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "months"],
    queryFn: () => dataOf(api.GET("/results/uptime/{id}", { params: byPath(id) })),
    refetchInterval: SLOW_REFRESH_MS,
  });

/** Addresses that its heartbeats had elsewhere. */
export const aliasesQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "aliases"],
    queryFn: async () =>
      Object.values(await dataOf(api.GET("/heartbeataliases/{id}", { params: byPath(id) }))),
  });

/** Imported history of the check; null if there is none. */
export const importedQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "imported"],
    queryFn: async () => {
      const found = await dataOf(api.GET("/importedhistories/{id}", { params: byPath(id) }));
      return found[id] ?? null;
    },
  });

export const eventsQuery = (id: string) =>
  queryOptions({
    queryKey: [...checkKey(id), "events"],
    queryFn: () => {
      const query = { limit: MAX_EVENTS };
      return dataOf(api.GET("/results/events/{id}", { params: { ...byPath(id), query } }));
    },
    refetchInterval: REFRESH_MS,
  });

/** The first result of an outage, and what was found and sent because of it. */
export const outageQuery = (id: string, { start, end }: Pick<PastEvent, "start" | "end">) =>
  queryOptions({
    queryKey: [...checkKey(id), "outage", start, end],
    queryFn: async () => {
      const until = end ?? Date.now();
      // The oldest first, for the start is after the end.
      const query = { start: until, end: start, limit: 1, clean: true, detail: true };
      const sent = { dropped: true, detail: true, span: hoursSince(start) };
      const [results, diagnostics, alerts] = await Promise.all([
        dataOf(api.GET("/results/{id}", { params: { ...byPath(id), query } })),
        dataOf(api.GET("/diagnostics/{id}", { params: byPath(id) })),
        dataOf(api.GET("/notifications/{id}", { params: { ...byPath(id), query: sent } })),
      ]);
      return { first: plainResults(results)[0] ?? null, diagnostics, alerts };
    },
  });

/** A request without an id would be answered with all checks, by id. */
function isCheck(found: Check | Readonly<Record<string, Check>>): found is Check {
  return typeof found._id === "string";
}

const HOUR_MS = 3_600_000;

function hoursSince(at: number): number {
  return Math.max(1, Math.ceil((Date.now() - at) / HOUR_MS) + 1);
}

/** Without the older form, in which each is inside a document. */
function plainResults(results: readonly (Result | { readonly doc: Result })[]): readonly Result[] {
  return results.map((result) => ("doc" in result ? result.doc : result));
}
