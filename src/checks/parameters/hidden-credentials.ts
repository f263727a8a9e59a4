import type { z } from "zod";

import { HIDDEN, redact } from "../outcome/redact.ts";
import { secretValues } from "./secrets.ts";

/** The parameters of a check with its credentials replaced, for those who may only look at it. */
export function hideCredentials(
  { shape }: z.ZodObject,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const schema = shape[name];
      // What the schema does not know is kept as it was sent, and may be anything.
      if (schema === undefined) return [name, HIDDEN];
      const secrets = secretValues({ shape: { [name]: schema } }, { [name]: value });
      return [name, secrets.length === 0 ? value : hidden(value, secrets)];
    }),
  );
}

function hidden(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => hidden(each, secrets));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, hidden(each, secrets)]),
    );
  if (typeof value === "number") return secrets.includes(String(value)) ? HIDDEN : value;
  return typeof value === "string" ? redact(value, secrets) : value;
}
