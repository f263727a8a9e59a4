import { newlyPosted, type Incident, type IncidentUpdate } from "../../domain/status/incident.ts";
import type { Transaction } from "../store.ts";

/**
 * Stores a new incident or a change of `known`, and returns what readers see for the first time. All posts go through here, whether by people, outages, or
 * times.
 */
export async function saveIncident(
  tx: Transaction,
  incident: Incident,
  known?: Incident,
): Promise<readonly IncidentUpdate[]> {
  await (known === undefined ? tx.incidents.insert(incident) : tx.incidents.update(incident));
  await tx.changes.record({ accountId: incident.accountId, checkNo: undefined });
  const posted = newlyPosted(incident, known);
  await tx.pageMessages.announce(incident, posted);
  return posted;
}
