import type { z } from "zod";

import { InvalidInput } from "../kit/errors.ts";

/** Throws InvalidInput that names the first parameter that is not as its schema expects. */
export function parseInput<Input extends z.ZodObject>(
  input: Input,
  values: Readonly<Record<string, unknown>>,
): z.output<Input> {
  const parsed = input.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidInput(
    `${issue?.path.join(".") ?? "parameters"}: ${issue?.message ?? "invalid"}`,
  );
}
