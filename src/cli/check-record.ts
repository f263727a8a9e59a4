import type { z } from "zod";

import { checkResponse } from "../api/check-answer.ts";
import { understood } from "./api.ts";

export type CheckRecord = z.output<typeof checkResponse>;

export function checkOf(record: unknown): CheckRecord {
  return understood(checkResponse, record);
}

/** In a word or two. */
export function stateOf({ enabled, suspacct, state, trouble }: CheckRecord): string {
  if (enabled === "inactive") return "disabled";
  if (suspacct) return "suspended";
  const word = state === undefined ? "unknown" : state === 1 ? "passing" : "failing";
  return trouble === undefined ? word : `${word}, ${trouble.kind}`;
}
