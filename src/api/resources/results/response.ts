import { z } from "zod";

import { checkTypes } from "../../../checks/registry.ts";
import { resultDetail } from "./detail.ts";
import type { Check } from "../../../domain/check.ts";
import type { StoredResult } from "../../../store/results.ts";

export const resultResponse = z
  .object({
    _id: z.string(),
    ci: z.string().describe("The account's id"),
    t: z
      .string()
      .meta({ enum: checkTypes.map(({ type }) => type) })
      .describe("The type of the check"),
    tg: z.string().describe("The target, without credentials"),
    th: z.string().describe("The threshold, in seconds"),
    i: z.string().describe("The interval, in minutes"),
    ra: z.string().describe("When the run was scheduled, in ms since 1970"),
    q: z.string(),
    s: z.int().describe("When it ran, in ms since 1970"),
    sc: z.string().describe("The result in short; for HTTP the status code"),
    m: z.string().describe("The message of the result"),
    su: z.boolean().describe("Whether the run passed"),
    rt: z.int().describe("The run time in ms"),
    e: z.int().describe("When it ended, in ms since 1970"),
    l: z
      .record(z.string(), z.string())
      .describe("The location of every run of the tick, by its start in ms since 1970"),
    rhp: z.string().describe("The location of the run"),
    f: z.string(),
    jobid: z.string().describe("The check's id"),
    ...resultDetail,
  })
  .meta({ id: "Result" });

export function resultToWire(
  check: Pick<Check, "id" | "accountId" | "queue">,
  result: StoredResult,
): z.infer<typeof resultResponse> {
  const {
    type,
    target,
    timeoutSeconds,
    intervalMinutes,
    tick,
    startedAt,
    endedAt,
    passed,
    text,
    message,
    runtimeMs,
    location,
    earlierRuns,
  } = result;
  return {
    _id: `${check.id}-${startedAt}`,
    ci: check.accountId,
    t: type,
    tg: target,
    th: String(timeoutSeconds),
    i: String(intervalMinutes),
    ra: String(tick),
    q: check.queue,
    s: startedAt,
    sc: text,
    m: message,
    su: passed,
    rt: Math.round(runtimeMs),
    e: endedAt,
    l: Object.fromEntries([...earlierRuns, [startedAt, location] as const]),
    rhp: location,
    f: "",
    jobid: check.id,
  };
}
