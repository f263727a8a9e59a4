import { InvalidInput, messageOf } from "../../kit/errors.ts";
import { CommandError } from "../command-context.ts";
import { recordTitle, type RecordName } from "./step.ts";

/** Adds the record to the message of an error. */
export function recordError(record: RecordName, cause: unknown): CommandError {
  return new CommandError(`${recordTitle(record)}, ${record.id}: ${messageOf(cause)}`, { cause });
}

export function withRecordName<Value>(record: RecordName, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidInput ? recordError(record, error) : error;
  }
}
