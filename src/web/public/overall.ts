import { isClosed } from "../../domain/status/incident.ts";
import type { PublicSummary } from "../../domain/status/public-check.ts";
import type { CheckView, StatusView } from "./status-view.ts";
import type { Words } from "./words.ts";

/** The sentence above everything. That all checks pass is not said while something is posted that is not over, and what is posted is no downtime. */
export function overallOf(
  { state, incidents, sections }: Pick<StatusView, "state" | "incidents" | "sections">,
  words: Words,
): { readonly state: PublicSummary; readonly text: string } {
  const hasOpen = incidents.some((incident) => incident.kind === "incident" && !isClosed(incident));
  const isPosted = hasOpen && (state === "operational" || state === "partly");
  const isOnlyPosted = isPosted && !sections.some(({ checks }) => isAnyDown(checks));
  if (isOnlyPosted) return { state: "partly", text: words.openIncident };
  return { state, text: words.overall[state] };
}

export function isAnyDown(checks: readonly Pick<CheckView, "state">[]): boolean {
  return checks.some(({ state }) => state === "down");
}
