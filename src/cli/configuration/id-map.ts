import { isAlwaysOpen } from "../../domain/schedule.ts";
import { recordIds, type Configuration } from "./document.ts";
import type { Matches } from "./match.ts";
import { recordTitle, type RecordName } from "./step.ts";

/** Maps the references of a document to the records of an account. */
export interface IdMap {
  /** Maps the id of a contact, address, group, profile or check; undefined if nothing has it. Ids in `known` are kept. */
  readonly reference: (id: string, known: readonly string[]) => string | undefined;
  /** Returns the schedule, or `All` if there is none with that name. */
  readonly schedule: (name: string, known: readonly string[]) => string;
}

interface Known {
  /** The configurations whose records can be referenced. */
  readonly there: readonly Configuration[];
  readonly pairs: Matches;
}

/** Records that do not exist yet keep the ids of the document. */
export function createIdMap(
  { there, pairs }: Known,
  warn: (warning: string) => void,
): (record: RecordName) => IdMap {
  const ids = new Set(there.flatMap(recordIds));
  const schedules = new Set(there.flatMap(({ schedules }) => Object.keys(schedules)));
  return (record) => ({
    reference(id, known) {
      const paired = pairs.get(id);
      if (paired !== undefined || ids.has(id) || known.includes(id)) return paired ?? id;
      warn(
        `${recordTitle(record)}: nothing has the id ${JSON.stringify(id)}, so the reference is dropped`,
      );
      return undefined;
    },
    schedule(name, known) {
      if (isAlwaysOpen(name) || schedules.has(name) || known.includes(name)) return name;
      warn(`${recordTitle(record)}: there is no schedule ${JSON.stringify(name)}, so All is used`);
      return "All";
    },
  });
}
