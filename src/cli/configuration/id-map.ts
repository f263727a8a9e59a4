import { isAlwaysOpen } from "../../domain/schedule.ts";
import { recordIds } from "./document.ts";
import type { Configuration } from "./document.ts";
import type { Matches } from "./match.ts";
import { recordTitle } from "./step.ts";
import type { RecordName } from "./step.ts";

/** What of a document can be said in an account. */
export interface IdMap {
  /** The id of a contact, address, group, profile or check; undefined where there is none. Those in `known` may stay. */
  readonly reference: (id: string, known: readonly string[]) => string | undefined;
  /** The name of a schedule, or what a missing one amounts to. */
  readonly schedule: (name: string, known: readonly string[]) => string;
}

interface Known {
  /** Where records are that can be referred to. */
  readonly there: readonly Configuration[];
  readonly pairs: Matches;
}

/** Records that are still to be made keep the ids of the document. */
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
      warn(`${recordTitle(record)}: nothing has the id ${JSON.stringify(id)}, so it is left out`);
      return undefined;
    },
    schedule(name, known) {
      if (isAlwaysOpen(name) || schedules.has(name) || known.includes(name)) return name;
      warn(
        `${recordTitle(record)}: no schedule is called ${JSON.stringify(name)}, so it is All instead`,
      );
      return "All";
    },
  });
}
