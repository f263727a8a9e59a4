import { newlyPosted, type Incident, type IncidentUpdate } from "../../domain/status/incident.ts";
import type { Transaction } from "../store.ts";

/**
 * Stores an incident, a new one or a change of `known`, and gives what its readers see for the first time. Everything that is posted
 * is posted here, whether people, an outage or a time did it.
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
