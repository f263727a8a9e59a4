import { z } from "zod";

import { checkTypes } from "../../../checks/registry.ts";
import { isSwitchedOn, type CheckState } from "../../../domain/check.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import type { Gap, CheckRecord } from "../../../store/tables/checks.ts";
import type { Scope } from "../../http/auth.ts";
import { compatibilityOf } from "../../http/compatibility.ts";
import { objectOf, oneByTag, partOfOthers, warning } from "../responses.ts";
import { flagAnswers, flagsToWire } from "./flags.ts";
import { schemaNameOf, shownParameters } from "./parameters/shown-parameters.ts";
import { eventResponse } from "../results/event-response.ts";
import { uptimeResponse } from "../results/uptime.ts";
import { resultResponse } from "../results/response.ts";

const troubleAnswer = z
  .object({
    kind: z.enum(["missed", "undecided"]),
    reason: z.string(),
    message: z.string(),
    since: z.int().describe("The first of these ticks, in ms"),
    last: z.int().describe("The last of them, in ms"),
    count: z.int(),
  })
  .describe("Why its latest ticks have no verdict, through no fault of the target")
  .meta({ id: "Trouble" });

export const acknowledgementAnswer = z
  .object({
    at: z.int().describe("In ms"),
    by: z.string(),
    note: z.string(),
  })
  .describe("Who sees to the outage of a check")
  .meta({ id: "Acknowledgement" });

export const failingLocationsAnswer = z
  .array(
    z.object({
      location: z.string(),
      since: z.int().describe("Start of its first failed run since it last passed there, in ms"),
      reason: z.string().describe("Of that run, such as `timeout` or `refused`"),
    }),
  )
  .describe(
    "The locations at which the latest run failed, also while the check is up; missing where there are none, and where one location alone runs the check",
  )
  .meta({ id: "FailingLocations" });

const typesWithParameters = checkTypes.map((checkType) => ({
  type: checkType.type,
  summary: checkType.summary.en,
  parameters: shownParameters(checkType),
}));

/** Response fields of all check types, with room for those of each type. */
const commonCheck = z
  .object({
    _id: z.string(),
    _rev: z.string(),
    customer_id: z.string(),
    label: z.string(),
    interval: z
      .number()
      .describe("Minutes; in legacy mode a part of a minute counts as a whole one"),
    intervalseconds: z.int().describe("The interval in seconds"),
    notifications: z
      .array(z.record(z.string(), z.unknown()))
      .describe("As they were sent; in legacy mode always with `delay` and `schedule`"),
    status: z.enum(["assigned", "modified"]),
    modified: z.int().describe("ms since 1970"),
    enable: z.enum(["active", "inactive"]),
    enabled: z.enum(["active", "inactive"]),
    public: z.boolean(),
    created: z.int().describe("ms since 1970"),
    queue: z.string(),
    uuid: z.string(),
    state: z
      .union([z.literal(0), z.literal(1)])
      .optional()
      .describe("1 passing, 0 failing; missing before the first verdict"),
    firstdown: z
      .union([z.literal(false), z.int()])
      .describe("When the check went down, in ms since 1970; false while it passes"),
    runlocations: z.array(z.string()).describe("Empty for the regions of the account"),
    recheckwait: z
      .int()
      .optional()
      .describe("Seconds between two rechecks; missing where the account's applies"),
    homeloc: z
      .union([z.literal(false), z.string()])
      .describe("The location at which every tick begins; false and `roam` for each in turn"),
    dep: z.union([z.literal(false), z.string()]),
    mute: z
      .union([z.boolean(), z.int()])
      .describe("A number is the end of the mute, in ms since 1970"),
    ...flagAnswers,
    tags: z.array(z.string()),
    description: z.string(),
    suspacct: z.boolean().describe("Its account is suspended, so it does not run"),
    trouble: troubleAnswer.optional(),
    failinglocations: failingLocationsAnswer.optional(),
    acknowledged: acknowledgementAnswer.optional(),
    expected: z
      .int()
      .optional()
      .describe(
        "When the next heartbeat of a PUSH check is expected that fails without, in ms since 1970; in the response to a request for one check",
      ),
    started: z
      .int()
      .optional()
      .describe("Since when a run of a PUSH check goes on, in ms since 1970; likewise"),
    aliases: z
      .array(z.object({ system: z.string(), hint: z.string() }))
      .optional()
      .describe("Addresses of other systems at which its heartbeats are accepted; likewise"),
    lastresult: resultResponse.optional(),
    events: z.array(eventResponse).optional(),
    uptime: uptimeResponse.optional(),
    warning,
  })
  .meta({ ...partOfOthers, id: "CommonCheck" });

/** The checks of each type, with further members. */
function checksByType(prefix: string, ...further: readonly z.ZodObject[]): Map<string, z.ZodType> {
  return new Map(
    typesWithParameters.map(({ type, summary, parameters }) => {
      const own = z.object({ type: z.literal(type), parameters }).meta(partOfOthers);
      const id = `${prefix}${schemaNameOf(type)}Check`;
      return [type, objectOf([own, commonCheck, ...further], { id, description: summary })];
    }),
  );
}

/** A check in the response to a GET. */
export const checkResponse = oneByTag("Check", "type", checksByType(""));

/** A check in the response to a write. */
export const writtenCheckResponse = oneByTag(
  "WrittenCheck",
  "type",
  checksByType(
    "Written",
    z.object({ change: z.int().describe("ms since 1970") }).meta(partOfOthers),
  ),
);

export interface ResponseContext {
  readonly scope: Pick<Scope, "access" | "account" | "compatibility">;
  readonly status: "assigned" | "modified";
}

export function toResponse(
  { check, state, openGap }: CheckRecord,
  { scope, status }: ResponseContext,
): object {
  const compatibility = compatibilityOf(scope.compatibility);
  const isOn = isSwitchedOn(check);
  const redaction = redactionFor(scope.access);
  // guard: credentials of checks = argument.parameters
  const { target, ...parameters } = redaction.parameters(check);
  const failing = isOn ? failingLocationsToResponse(state) : undefined;
  return {
    _id: check.id,
    _rev: `${check.revision}-${check.revisionHash}`,
    customer_id: check.accountId,
    label: check.label,
    interval: compatibility.shownMinutes(check.intervalMinutes),
    intervalseconds: check.intervalMinutes * 60,
    notifications: compatibility.shownRecipients(check.notifications),
    type: check.type,
    status,
    modified: check.modifiedAt,
    enable: isOn ? "active" : "inactive",
    enabled: isOn ? "active" : "inactive",
    public: check.public,
    parameters: {
      ...(target === undefined ? {} : { target }),
      threshold: check.timeoutSeconds,
      ...(check.rechecks === undefined ? {} : { sens: check.rechecks }),
      ...parameters,
    },
    created: check.createdAt,
    queue: check.queue,
    uuid: check.uuid,
    ...(state.state === undefined ? {} : { state: state.state === "passing" ? 1 : 0 }),
    firstdown: state.downSince ?? compatibility.firstDownWhenPassing,
    runlocations: check.regions ?? [],
    ...(check.recheckWait !== undefined && { recheckwait: check.recheckWait }),
    homeloc: check.home ?? false,
    dep: check.dependsOn ?? false,
    mute: check.mute,
    ...flagsToWire(check),
    tags: check.tags,
    description: check.description,
    suspacct: scope.account.status !== "active",
    ...(state.acknowledgement !== undefined && { acknowledged: state.acknowledgement }),
    ...(failing && { failinglocations: failing }),
    ...(openGap === undefined ? {} : { trouble: troubleToWire(openGap, redaction.foundBy(check)) }),
  };
}

/** Returns undefined if no location fails. */
export function failingLocationsToResponse({
  failingLocations,
}: Pick<CheckState, "failingLocations">): z.infer<typeof failingLocationsAnswer> | undefined {
  return failingLocations.length === 0 ? undefined : [...failingLocations];
}

function troubleToWire(
  { kind, reason, message, firstTick, lastTick, ticks }: Gap,
  shown: (text: string) => string,
): z.infer<typeof troubleAnswer> {
  return { kind, reason, message: shown(message), since: firstTick, last: lastTick, count: ticks };
}
