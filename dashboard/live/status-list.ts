import type { components } from "../api/schema.ts";

export type Status = components["schemas"]["Status"];

/** The checks of the account, by their ids, in the order of the list. */
export type StatusList = ReadonlyMap<string, Status>;

/** The last run of a check: its id, when it began and how long it took. */
export type Run = readonly [id: string, run: number, ms: number | null];

export function listOf(statuses: readonly Status[]): StatusList {
  return new Map(statuses.map((status) => [status.id, status]));
}

/** The list with some checks as they are now; new ones come last, as they do in the list. */
export function withStatuses(list: StatusList, statuses: readonly Status[]): StatusList {
  const next = new Map(list);
  for (const status of statuses) next.set(status.id, status);
  return next;
}

export function withoutChecks(list: StatusList, ids: readonly string[]): StatusList {
  const next = new Map(list);
  for (const id of ids) next.delete(id);
  return next;
}

export function withRuns(list: StatusList, runs: readonly Run[]): StatusList {
  return withStatuses(
    list,
    runs.flatMap(([id, run, ms]) => {
      const known = list.get(id);
      if (known === undefined) return [];
      const { ms: _before, ...status } = known;
      return [{ ...status, run, ...(ms !== null && { ms }) }];
    }),
  );
}

/** How many checks are muted at a time: the end of a mute is no event. */
export function mutedAt(list: StatusList, now: number): number {
  return [...list.values()].filter(({ mute }) => mute === true || (mute ?? 0) > now).length;
}

/** How the check is at a time: one whose heartbeat is overdue became late without an event. */
export function statusAt(
  { status, since, expected }: Status,
  now: number,
): Pick<Status, "status" | "since"> {
  return status === "up" && expected !== undefined && expected < now
    ? { status: "late", since: expected }
    : { status, since };
}
