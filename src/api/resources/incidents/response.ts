import { z } from "zod";

import {
  incidentKinds,
  incidentStages,
  keptUpdates,
  stageOf,
  type Incident,
} from "../../../domain/status/incident.ts";
import { warning } from "../responses.ts";

export const incidentResponse = z
  .object({
    _id: z.string(),
    type: z.literal("incident"),
    customer_id: z.string(),
    name: z.string(),
    kind: z.enum(incidentKinds),
    stage: z.enum(incidentStages).describe("That of the last update"),
    pages: z
      .array(z.string())
      .describe("Ids of the status pages that show it; empty for all of the account"),
    checks: z.array(z.string()).describe("Ids of the checks that it affects"),
    published: z.boolean().describe("False for a draft, which only the account sees"),
    auto: z.boolean().describe("Whether it goes on by itself"),
    byoutage: z.boolean().describe("Whether an outage opened it"),
    start: z.int().describe("ms since 1970"),
    end: z.int().optional().describe("When it ended, or is to end, in ms since 1970"),
    updates: z
      .array(
        z.object({
          at: z.int().describe("ms since 1970"),
          stage: z.enum(incidentStages),
          text: z.string(),
        }),
      )
      .describe("The oldest first"),
    created: z.int().describe("ms since 1970"),
    modified: z.int().describe("ms since 1970"),
    warning,
  })
  .meta({ id: "Incident" });

export function toWire(incident: Incident): z.infer<typeof incidentResponse> {
  const { endsAt } = incident;
  return {
    _id: incident.id,
    type: "incident",
    customer_id: incident.accountId,
    name: incident.title,
    kind: incident.kind,
    stage: stageOf(incident),
    pages: [...(incident.pageIds ?? [])],
    checks: [...incident.checkIds],
    published: incident.isPublished,
    auto: incident.isAutomatic,
    byoutage: incident.outagePageId !== undefined,
    start: incident.startsAt,
    ...(endsAt !== undefined && { end: endsAt }),
    updates: keptUpdates(incident).map(({ at, stage, text }) => ({ at, stage, text })),
    created: incident.createdAt,
    modified: incident.modifiedAt,
  };
}
