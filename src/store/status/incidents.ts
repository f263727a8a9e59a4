import type { Incident } from "../../domain/status/incident.ts";

export type IncidentKey = Pick<Incident, "accountId" | "id">;
