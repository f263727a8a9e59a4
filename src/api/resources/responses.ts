import { z } from "zod";

import { componentRef } from "../openapi/schemas.ts";

interface OneOrMany {
  /** The response where one id was sent. */
  readonly one: z.ZodType;
  /** Response if no ID or several were sent. */
  readonly many: z.ZodType;
}

const parts = new WeakMap<z.ZodType, OneOrMany>();

/** Schema of one record if an ID was sent, otherwise of all records by ID, which lists may show in a different form. */
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

/**
 * Schema of an object with the members of several, each open to the others' members, so that generators produce an intersection. The first should distinguish
 * it from other objects.
 */
export function objectOf(
  parts: readonly [z.ZodType, ...z.ZodType[]],
  meta: { readonly id: string; readonly description: string },
): z.ZodType {
  const [first, ...others] = parts;
  const all = others.reduce((left, right) => z.intersection(left, right), first);
  return all.meta({ ...meta, unevaluatedProperties: false });
}

/** Metadata of a part of other objects. */
export const partOfOthers = { additionalProperties: undefined };

/** One of the objects with an id, by the value of a member that all of them have. */
export function oneByTag(
  id: string,
  propertyName: string,
  objects: ReadonlyMap<string, z.ZodType>,
): z.ZodType {
  const mapping = Object.fromEntries(
    [...objects].map(([tag, schema]) => [tag, componentRef(schema.meta()?.id ?? "").$ref]),
  );
  return z.xor([...objects.values()]).meta({ id, discriminator: { propertyName, mapping } });
}

/** The member that a record and the response to a write have where there is anything to say. */
export const warning = z
  .string()
  .optional()
  .describe("What of the request was ignored, or will not work");

export const okResponse = z.object({ ok: z.literal(true) });

export const deletedResponse = z.object({ ok: z.literal(true), id: z.string(), warning });
