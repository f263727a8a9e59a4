import type { z } from "zod";

import { parseFlag } from "../../../../kit/flag.ts";
import { parseInteger } from "../../../../schema/scalars.ts";

/**
 * The JSON type in which a parameter is stored and shown, whatever it was sent in: strict clients decode whole numbers and `follow` in one type, and queries
 * and forms have only text. Undefined for parameters that keep the type in which they were sent.
 */
export function storedType(
  name: string,
  parameter: z.ZodType | undefined,
): "integer" | "boolean" | undefined {
  if (name === "follow") return "boolean";
  const types = new Set<unknown>([parameter?.meta()?.type].flat());
  const isWhole = types.has("integer") && !types.has("boolean");
  return isWhole || name === "port" ? "integer" : undefined;
}

/** A parameter as it is stored. A value that does not fit its type stays as it is, because the check type judges it. */
export function storedValue(
  name: string,
  parameter: z.ZodType | undefined,
  sent: unknown,
): unknown {
  const type = storedType(name, parameter);
  if (type === undefined) return sent;
  return (type === "integer" ? parseInteger(sent) : parseFlag(sent)) ?? sent;
}
