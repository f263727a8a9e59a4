import type { Notice } from "../../domain/alert.ts";

/** The same for the beginning and the end of an outage; undefined where nothing was down. */
export function outageKeyOf({ check, state, since, downForMs }: Notice): string | undefined {
  if (state === "failing") return `${check.id}-${since}`;
  return downForMs === undefined ? undefined : `${check.id}-${since - downForMs}`;
}
