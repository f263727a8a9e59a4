import { z } from "zod";

import { warning } from "../responses.ts";
import type { Maintenance } from "../../../domain/maintenance.ts";

export const maintenanceResponse = z
  .object({
    name: z.string(),
    enabled: z.boolean(),
    processing: z.boolean().describe("Whether it is under way, and its checks disabled"),
    cron: z.string().optional().describe("Missing if it starts once"),
    start: z
      .int()
      .optional()
      .describe("When one without a cron is planned to start, in ms since 1970"),
    duration: z.int().describe("Minutes"),
    history: z
      .record(
        z.string(),
        z.object({
          disabledchecklist: z.array(z.string()),
          skippedchecklist: z
            .array(z.string())
            .describe("Checks that were disabled already, or deleted"),
        }),
      )
      .describe("The last 10 times, by the planned start in ms since 1970"),
    nextrun: z.int().optional().describe("The next start, in ms since 1970"),
    ends: z.int().optional().describe("When it ends, in ms since 1970, while it is under way"),
    checklist: z.array(z.string()),
    update: z.object({
      timestamp: z.int().describe("When it was last changed, in ms since 1970"),
      user: z.string().describe("The account whose token changed it"),
    }),
  })
  .meta({ id: "Maintenance" });
export const savedResponse = z
  .object({ ok: z.literal(true), message: z.string(), warning })
  .catchall(maintenanceResponse);

export function savedToWire(maintenance: Maintenance): object {
  return { [maintenance.id]: toWire(maintenance), ok: true, message: "The maintenance is saved." };
}

export function toWire(maintenance: Maintenance): z.infer<typeof maintenanceResponse> {
  const { name, enabled, cron, startsAt, nextAt, endsAt, history } = maintenance;
  return {
    name,
    enabled,
    processing: endsAt !== undefined,
    ...(cron === undefined ? {} : { cron }),
    ...(startsAt === undefined ? {} : { start: startsAt }),
    duration: maintenance.durationMinutes,
    history: Object.fromEntries(
      history.map(({ at, held, skipped }) => [
        at,
        { disabledchecklist: [...held], skippedchecklist: [...skipped] },
      ]),
    ),
    ...(nextAt === undefined ? {} : { nextrun: nextAt }),
    ...(endsAt === undefined ? {} : { ends: endsAt }),
    checklist: [...maintenance.checkIds],
    update: { timestamp: maintenance.changedAt, user: maintenance.changedBy },
  };
}
