import { isClosed } from "../../domain/status/incident.ts";
import type { PublicSummary } from "../../domain/status/public-check.ts";
import type { StatusView } from "./status-view.ts";
import type { Words } from "./words.ts";

/** The sentence above everything. That all checks pass is not said while something is posted that is not over. */
export function overallOf(
  { state, incidents }: Pick<StatusView, "state" | "incidents">,
  words: Words,
): { readonly state: PublicSummary; readonly text: string } {
  const hasOpen = incidents.some((incident) => incident.kind === "incident" && !isClosed(incident));
  if (state === "operational" && hasOpen) return { state: "partly", text: words.openIncident };
  return { state, text: words.overall[state] };
}
