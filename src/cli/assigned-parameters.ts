import { checkTypeOf } from "../checks/registry.ts";
import { isRecord } from "../kit/safe-json.ts";
import type { JsonObject } from "./api-client.ts";

/** The parameters that the service assigned to a new check, such as the token for its heartbeats. */
export function assignedParameters({ type, parameters }: JsonObject): readonly string[] {
  if (!isRecord(parameters)) return [];
  const names = checkTypeOf(String(type))?.assigned ?? [];
  return names.map((name) => `${name} ${String(parameters[name])}`);
}
