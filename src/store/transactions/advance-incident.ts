import { stageOf, withDueStage, type IncidentStage } from "../../domain/status/incident.ts";
import type { Transaction } from "../store.ts";
import type { IncidentKey } from "../tables/incidents.ts";
import { saveIncident } from "./save-incident.ts";

/** Claims an announced maintenance, posts its due stage, and returns that stage; undefined if none is due. */
export async function advanceIncident(
  tx: Transaction,
  key: IncidentKey,
): Promise<IncidentStage | undefined> {
  const claimed = await tx.incidents.claim(key);
  if (claimed === undefined) return undefined;
  const { incident, now } = claimed;
  const advanced = withDueStage(incident, now);
  if (advanced === incident) return undefined;
  await saveIncident(tx, advanced, incident);
  return stageOf(advanced);
}
