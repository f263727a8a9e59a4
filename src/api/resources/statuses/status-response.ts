import { z } from "zod";

import { checkTypeOf, checkTypes } from "../../../checks/registry.ts";
import type { Account } from "../../../domain/account/account.ts";
import { countsUntil, expectedAfter } from "../../../domain/heartbeat/heartbeat-plan.ts";
import { statusOf, statusWords, type CheckStatus } from "../../../domain/run/status.ts";
import {
  acknowledgementAnswer,
  failingLocationsAnswer,
  failingLocationsToResponse,
} from "../checks/response.ts";

/** Check in a list. Default values are omitted because there may be ten thousand checks. */
export const statusResponse = z
  .object({
    id: z.string(),
    label: z.string(),
    type: z.string(),
    target: z.string().describe("Without credentials and query; empty where there is none"),
    status: z
      .enum(statusWords)
      .describe(
        "`late`: it passes, and its heartbeat is overdue; `maintenance` and `paused` do not run; `unknown`: no verdict yet",
      ),
    since: z.int().describe("Since when it is that, in ms since 1970"),
    interval: z.number().describe("Minutes"),
    tags: z.array(z.string()).optional().describe("Missing where there are none"),
    run: z.int().optional().describe("When its last run began, in ms since 1970"),
    ms: z.int().optional().describe("How long that took; missing where it was days ago"),
    expected: z
      .int()
      .optional()
      .describe(
        "When the next heartbeat is expected, in ms since 1970, of one that fails without: `up` becomes `late` then",
      ),
    mute: z
      .union([z.literal(true), z.int()])
      .optional()
      .describe("A number is the end of the mute, in ms since 1970"),
    dep: z.string().optional().describe("The check that it depends on"),
    acknowledged: acknowledgementAnswer.optional(),
    failinglocations: failingLocationsAnswer.optional(),
    trouble: z
      .string()
      .optional()
      .describe("Why its latest ticks have no verdict, through no fault of the target"),
  })
  .meta({ id: "Status" });
export type StatusAnswer = z.infer<typeof statusResponse>;

/** Types whose parameters define when heartbeats are expected. */
export const heartbeatTypes: readonly string[] = checkTypes
  .filter(({ driver }) => driver === "push")
  .map(({ type }) => type);

export function statusToResponse(
  check: CheckStatus,
  { now, timeZone }: { readonly now: number } & Pick<Account, "timeZone">,
): StatusAnswer {
  const expected = expectedOf(check, timeZone);
  const { word, since } = statusOf(check, { now, expected });
  const { tags, last, mute, dependsOn, acknowledgement, gap } = check;
  const failing = check.activeSince === undefined ? undefined : failingLocationsToResponse(check);
  return {
    id: check.id,
    label: check.label,
    type: check.type,
    target: check.target(),
    status: word,
    since,
    interval: check.intervalMinutes,
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(last && { run: last.startedAt }),
    ...(last?.runtimeMs !== undefined && { ms: Math.round(last.runtimeMs) }),
    ...(expected !== undefined && { expected }),
    ...(mute !== false && { mute }),
    ...(dependsOn !== undefined && { dep: dependsOn }),
    ...(acknowledgement && { acknowledged: acknowledgement }),
    ...(failing && { failinglocations: failing }),
    ...(gap && { trouble: gap.reason }),
  };
}

/** Returns the next expected heartbeat of an enabled check, if its absence is a failure and one has arrived before. */
export function expectedOf(check: CheckStatus, timeZone: string): number | undefined {
  const { type: name, last, activeSince } = check;
  if (last === undefined || activeSince === undefined) return undefined;
  const type = checkTypeOf(name);
  if (type?.driver !== "push") return undefined;
  const { plan } = type.prepare(check.parameters());
  if (!plan.failsWhenLate) return undefined;
  const from = Math.max(countsUntil(last.startedAt, plan), activeSince);
  return expectedAfter(from, plan, { check, timeZone });
}
