import type { z } from "zod";

import { checkResponse } from "../api/resources/checks/response.ts";
import { parseResponse } from "./api-client.ts";

export type CheckResponse = z.output<typeof checkResponse>;

export function parseCheck(record: unknown): CheckResponse {
  return parseResponse(checkResponse, record);
}

/** The state of a check in a word or two. */
export function describeState({ enabled, suspacct, state, trouble }: CheckResponse): string {
  if (enabled === "inactive") return "disabled";
  if (suspacct) return "suspended";
  const word = state === undefined ? "unknown" : state === 1 ? "up" : "down";
  return trouble === undefined ? word : `${word}, ${trouble.kind}`;
}
