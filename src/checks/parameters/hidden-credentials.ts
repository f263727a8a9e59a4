import type { z } from "zod";

import { targetWithoutQuery } from "../../domain/target.ts";
import { HIDDEN, redact } from "../../kit/redact.ts";
import { isSecret, secretValues } from "./secrets.ts";

/** The parameters of a check for readers who may not edit it: no part of the target but scheme, host, and path, and no value of a parameter that may hold a credential. */
export function hideSentValues(
  { shape }: z.ZodObject,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (name === "target" && typeof value === "string")
        return [name, targetWithoutQuery(parameters)];
      const schema = shape[name];
      return [
        name,
        schema === undefined ? HIDDEN : isSecret(schema) ? withoutValues(value) : value,
      ];
    }),
  );
}

function withoutValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutValues);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withoutValues(each)]),
    );
  return typeof value === "string" || typeof value === "number" ? HIDDEN : value;
}

/** The parameters of a check with only its credentials replaced, for files that its owner keeps. */
export function hideCredentials(
  { shape }: z.ZodObject,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const schema = shape[name];
      // Unknown values are kept as sent, and may be anything.
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
