import { isClosed } from "../domain/status/incident.ts";
import type { PublicSummary } from "../domain/status/public-check.ts";
import type { CheckView, StatusView } from "./status-view.ts";
import type { PageWords } from "./words.ts";

/** With more checks down than this, the sentence names none. */
const MAX_NAMED = 3;

/** The sentence above everything. Checks that are down come first, then an incident that is open: it is more than what other checks say, or that none says anything. */
export function overallOf(
  { state, incidents, sections }: Pick<StatusView, "state" | "incidents" | "sections">,
  words: PageWords,
): { readonly state: PublicSummary; readonly text: string } {
  const checks = sections.flatMap((section) => section.checks);
  if (isAnyDown(checks)) return { state, text: downText(checks, words) ?? words.overall[state] };
  const hasOpen = incidents.some((incident) => incident.kind === "incident" && !isClosed(incident));
  if (hasOpen) return { state: "partly", text: words.openIncident };
  return { state, text: words.overall[state] };
}

export function isAnyDown(checks: readonly Pick<CheckView, "state">[]): boolean {
  return checks.some(({ state }) => state === "down");
}

/** Undefined if many checks are down, or those that are have no names. */
function downText(
  checks: readonly Pick<CheckView, "name" | "state">[],
  words: PageWords,
): string | undefined {
  const down = checks.filter(({ state }) => state === "down");
  const names = [...new Set(down.map(({ name }) => name))];
  const areNamed = names.length <= MAX_NAMED && !names.includes("");
  return areNamed ? words.areDown(names) : undefined;
}
