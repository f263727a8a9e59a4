import { isRecord } from "../kit/safe-json.ts";
import type { JsonObject } from "./api-client.ts";
import { checkTypes } from "./catalogue/catalogue.ts";

/** The parameters that the service assigned to a new check, such as the token for its heartbeats. */
export function assignedParameters({ type, parameters }: JsonObject): readonly string[] {
  if (!isRecord(parameters)) return [];
  const known = Object.entries(checkTypes[String(type)]?.parameters ?? {});
  return known
    .filter(([, { assigned }]) => assigned)
    .map(([name]) => `${name} ${String(parameters[name])}`);
}
