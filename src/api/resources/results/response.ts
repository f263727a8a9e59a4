import { z } from "zod";

import { checkTypes } from "../../../checks/registry.ts";
import { resultDetail } from "./detail.ts";
import type { Check } from "../../../domain/check.ts";
import type { EarlierRun } from "../../../domain/run/result.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import type { StoredResult } from "../../../store/results.ts";
import type { Scope } from "../../http/auth.ts";
import { compatibilityOf } from "../../http/compatibility.ts";

export const resultResponse = z
  .object({
    _id: z.string(),
    ci: z.string().describe("The account's id"),
    t: z
      .string()
      .meta({ enum: checkTypes.map(({ type }) => type) })
      .describe("The type of the check"),
    tg: z
      .string()
      .describe("The target, without credentials; with access to `view` also without its query"),
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
    lf: z
      .array(z.string())
      .optional()
      .describe("The locations at which runs of the tick failed; missing where none did"),
    rhp: z.string().describe("The location of the run"),
    f: z.string(),
    jobid: z.string().describe("The check's id"),
    ...resultDetail,
  })
  .meta({ id: "Result" });

/** Access and compatibility mode of the caller. */
type Reader = Pick<Scope, "access" | "compatibility">;

export function resultToResponse(
  check: Pick<Check, "id" | "accountId" | "queue" | "type" | "parameters">,
  result: StoredResult,
  reader: Reader,
): z.infer<typeof resultResponse> {
  return resultsToResponse(check, reader)(result);
}

/** Converts results of a check, as many as there are. */
export function resultsToResponse(
  check: Pick<Check, "id" | "accountId" | "queue" | "type" | "parameters">,
  { access, compatibility }: Reader,
): (result: StoredResult) => z.infer<typeof resultResponse> {
  const { target, foundBy } = redactionFor(access);
  const { shownMinutes } = compatibilityOf(compatibility);
  const shown = { target, found: foundBy(check), minutes: shownMinutes };
  return (result) => toResponse(check, result, shown);
}

function toResponse(
  check: Pick<Check, "id" | "accountId" | "queue">,
  result: StoredResult,
  shown: Readonly<Record<"target" | "found", (text: string) => string>> & {
    readonly minutes: (minutes: number) => number;
  },
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
  const runs: readonly EarlierRun[] = [...earlierRuns, [startedAt, location, passed]];
  const failed = new Set(runs.flatMap(([, at, hasPassed]) => (hasPassed || at === "" ? [] : [at])));
  return {
    _id: `${check.id}-${startedAt}`,
    ci: check.accountId,
    t: type,
    tg: shown.target(target),
    th: String(timeoutSeconds),
    i: String(shown.minutes(intervalMinutes)),
    ra: String(tick),
    q: check.queue,
    s: startedAt,
    sc: shown.found(text),
    m: shown.found(message),
    su: passed,
    rt: Math.round(runtimeMs),
    e: endedAt,
    l: Object.fromEntries(runs.map(([start, at]) => [start, at])),
    ...(failed.size > 0 && { lf: [...failed] }),
    rhp: location,
    f: "",
    jobid: check.id,
  };
}
