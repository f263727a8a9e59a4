import { isRecord } from "../kit/safe-json.ts";
import type { JsonObject } from "./api-client.ts";

/** The state of a check in a word or two. */
export function describeState({ enabled, suspacct, state, trouble }: JsonObject): string {
  if (enabled === "inactive") return "disabled";
  if (suspacct === true) return "suspended";
  const word = state === undefined ? "unknown" : state === 1 ? "up" : "down";
  return isRecord(trouble) ? `${word}, ${String(trouble.kind)}` : word;
}
