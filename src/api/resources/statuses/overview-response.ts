import { z } from "zod";

import { serviceProblemNames } from "../../../domain/service-problem.ts";

import { alertStatuses } from "../../../domain/alert/alert.ts";
import { acknowledgementAnswer } from "../checks/response.ts";

const named = { id: z.string(), label: z.string() };

const downResponse = z
  .object({
    ...named,
    type: z.string(),
    driver: z.enum(["probe", "push"]).describe("`push` where the target reports by itself"),
    target: z.string(),
    since: z.int().describe("In ms since 1970"),
    result: z.string().describe("The result in short"),
    message: z.string().describe("What was wrong"),
    answer: z.string().optional().describe("The beginning of what the target answered"),
    alerts: z
      .array(
        z.object({
          name: z.string().describe("Of the contact"),
          type: z.string().describe("Of the address"),
          service: z
            .string()
            .optional()
            .describe("Of a webhook: the service that it leads to, where it is a known one"),
          status: z.enum(alertStatuses),
          reason: z.string().optional().describe("Why nothing was sent"),
        }),
      )
      .describe("The alerts of the outage"),
    acknowledged: acknowledgementAnswer.optional(),
    mute: z.union([z.literal(true), z.int()]).optional(),
    dep: z.string().optional().describe("The check that it depends on"),
  })
  .meta({ id: "DownStatus" });
export type DownAnswer = z.infer<typeof downResponse>;

const downGroupResponse = z
  .object({
    host: z.string().optional().describe("Missing where they have none, or different ones"),
    result: z.string().describe("The result in short"),
    message: z.string().describe("What was wrong; empty where that differs"),
    since: z.int().describe("Since when the first of them is down, in ms since 1970"),
    count: z.int().describe("How many checks"),
    unacknowledged: z.int().describe("How many of them nobody acknowledged"),
    checks: z
      .array(
        z.object({
          ...named,
          since: z.int().describe("In ms since 1970"),
          by: z.string().optional().describe("Who acknowledged its outage"),
        }),
      )
      .describe("At most 500 in all groups; small groups are listed in full first"),
  })
  .meta({ id: "DownGroup" });
export type DownGroupAnswer = z.infer<typeof downGroupResponse>;

const endingResponse = z.object({
  ...named,
  kind: z.enum(["certificate", "heartbeat"]),
  at: z
    .int()
    .describe("When the certificate ends, or the heartbeat was expected, in ms since 1970"),
});
export type EndingAnswer = z.infer<typeof endingResponse>;

const troubleResponse = z.object({
  ...named,
  kind: z.enum(["missed", "undecided"]),
  reason: z.string(),
  message: z.string(),
  since: z.int().describe("In ms since 1970"),
  count: z.int().describe("Ticks without a verdict"),
});
export type TroubleAnswer = z.infer<typeof troubleResponse>;

const count = z.int();

export const overviewResponse = z
  .object({
    counts: z
      .object({
        up: count,
        down: count,
        late: count,
        maintenance: count,
        paused: count,
        unknown: count,
      })
      .describe("Checks by their status"),
    longest: z
      .object({ ...named, since: z.int() })
      .optional()
      .describe("The outage that has lasted longest"),
    down: z.array(downResponse).describe("What is down, the latest first; of more only the count"),
    groups: z
      .array(downGroupResponse)
      .describe(
        "What is down by host and result, at most 50 groups: those of several checks, the largest first, then single checks, the latest first",
      ),
    ending: z
      .array(endingResponse)
      .describe("Certificates that end soon, and heartbeats that are late, the first first"),
    troubles: z
      .array(troubleResponse)
      .describe("Checks without a verdict through no fault of their targets"),
    service: z
      .object({
        ready: z.boolean(),
        reasons: z.array(z.string()).describe("Why it is not ready, as `/readyz` says"),
        problems: z
          .array(
            z.object({
              name: z.enum(serviceProblemNames),
              subject: z
                .string()
                .describe("The location or the channel that it is about, or empty"),
              critical: z
                .boolean()
                .describe("Whether checks are not run, or alerts not delivered, while it lasts"),
              since: z.int().describe("When it began, in ms since 1970"),
            }),
          )
          .describe("What is wrong with the service itself, oldest first"),
        commitms: z.int().describe("How long the oldest write has waited, in ms"),
        locations: z.array(z.string()).describe("Codes of the locations that are live"),
        alerts: z.int().describe("Alerts of the account that are due and not sent yet"),
      })
      .describe("How the monitoring itself is"),
  })
  .meta({ id: "Overview" });
export type OverviewAnswer = z.infer<typeof overviewResponse>;
