import type { Maintenance } from "../domain/maintenance.ts";

export type MaintenanceKey = Pick<Maintenance, "accountId" | "id">;
