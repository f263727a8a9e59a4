import type { Notice } from "../../domain/alert/alert.ts";

/** Returns the same key for the start and the end of an outage; undefined if nothing was down. */
export function outageKeyOf(notice: Notice): string | undefined {
  const { check, state, since, downForMs } = notice;
  if (state === "failing") return `${check.id}-${since}`;
  if (downForMs === undefined) return undefined;
  return `${check.id}-${notice.alertedSince ?? outageStart(notice)}`;
}

/** When the outage of an alert began, in ms since 1970. */
export function outageStart({ state, since, downForMs = 0 }: Notice): number {
  return state === "failing" ? since : since - downForMs;
}
