import { checkTypeOf } from "../checks/registry.ts";
import { isRecord } from "../kit/safe-json.ts";
import type { JsonObject } from "./api-client.ts";

/** What the service has given a new check, for whoever is to send to it. */
export function assignedParameters({ type, parameters }: JsonObject): readonly string[] {
  if (!isRecord(parameters)) return [];
  const names = checkTypeOf(String(type))?.assigned ?? [];
  return names.map((name) => `${name} ${String(parameters[name])}`);
}
