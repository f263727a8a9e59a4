import { z } from "zod";

/** One record if an id was sent, otherwise all records by id. */
export function oneOrById(record: z.ZodType): z.ZodType {
  return z.union([record, z.record(z.string(), record)]);
}

export const deletedResponse = z.object({ ok: z.literal(true), id: z.string() });
