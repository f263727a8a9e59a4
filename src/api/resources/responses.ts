import { z } from "zod";

interface OneOrMany {
  /** The response where one id was sent. */
  readonly one: z.ZodType;
  /** The response where none was, or several were. */
  readonly many: z.ZodType;
}

const parts = new WeakMap<z.ZodType, OneOrMany>();

/** One record if an id was sent, otherwise all records by id, of which lists may show another form. */
export function oneOrById(record: z.ZodType, listed = record): z.ZodType {
  const many = z.record(z.string(), listed);
  const both = z.union([record, many]);
  parts.set(both, { one: record, many });
  return both;
}

/** The two of a response that has both, which the OpenAPI document distinguishes by their paths. */
export function oneOrManyOf(response: z.ZodType): OneOrMany | undefined {
  return parts.get(response);
}

/** The member that a record and the response to a write have where there is anything to say. */
export const warning = z
  .string()
  .optional()
  .describe("What of the request was ignored, or will not work");

export const deletedResponse = z.object({ ok: z.literal(true), id: z.string(), warning });
