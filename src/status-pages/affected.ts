import { affectedCheckIds, type Incident } from "../domain/status/incident.ts";
import type { PublicState, PublicSummary } from "../domain/status/public-check.ts";
import type { StatusPage } from "../domain/status/status-page.ts";

/** How a check is shown that passes, while what is posted says that it is affected: what people say of it is more than what was measured. */
export function stateWith(
  state: PublicState,
  checkId: string,
  incidents: readonly Incident[],
): PublicSummary {
  if (state !== "operational") return state;
  const affecting = incidents.filter((each) => affectedCheckIds(each).includes(checkId));
  if (affecting.some(({ kind }) => kind === "incident")) return "partly";
  return affecting.length > 0 ? "maintenance" : state;
}

/** The names that a page gives the checks of an incident, each once; those that it does not show are left out. */
export function affectedNames(
  { sections }: Pick<StatusPage, "sections">,
  { checkIds }: Pick<Incident, "checkIds">,
): readonly string[] {
  const affected = new Set(checkIds);
  const shown = sections.flatMap(({ checks }) => checks.filter(({ id }) => affected.has(id)));
  return [...new Set(shown.map(({ name }) => name))].filter((name) => name !== "");
}
