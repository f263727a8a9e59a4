import { z } from "zod";

/** One record where an id was given, otherwise all of them by id. */
export function oneOrById(record: z.ZodType): z.ZodType {
  return z.union([record, z.record(z.string(), record)]);
}

export const deletedResponse = z.object({ ok: z.literal(true), id: z.string() });
