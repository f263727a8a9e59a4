import { InvalidInput, messageOf } from "../../kit/errors.ts";
import { Refusal } from "../shell.ts";
import { titleOf } from "./step.ts";
import type { Named } from "./step.ts";

/** Says of which record what is refused. */
export function refusalOf(record: Named, cause: unknown): Refusal {
  return new Refusal(`${titleOf(record)}, ${record.id}: ${messageOf(cause)}`, { cause });
}

export function named<Value>(record: Named, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidInput ? refusalOf(record, error) : error;
  }
}
