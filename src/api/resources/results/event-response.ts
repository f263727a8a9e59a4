import { z } from "zod";

import type { CurrentEvent } from "../../../store/tables/checks.ts";

export const eventResponse = z
  .object({
    type: z.enum(["down", "disabled"]),
    label: z.string(),
    t: z.int().describe("When it began, in ms since 1970"),
  })
  .meta({ id: "Event" });

export function eventToResponse({
  kind,
  label,
  since,
}: CurrentEvent): z.infer<typeof eventResponse> {
  return { type: kind, label, t: since };
}
