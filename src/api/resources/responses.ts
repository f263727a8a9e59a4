import { z } from "zod";

/** One record if an id was sent, otherwise all records by id. */
export function oneOrById(record: z.ZodType): z.ZodType {
  return z.union([record, z.record(z.string(), record)]);
}

/** The member that a record and the response to a write have where there is anything to say. */
export const warning = z
  .string()
  .optional()
  .describe("What of the request was ignored, or will not work");

export const deletedResponse = z.object({ ok: z.literal(true), id: z.string(), warning });
