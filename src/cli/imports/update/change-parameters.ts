import { isRecord } from "../../../kit/safe-json.ts";
import type { JsonObject } from "../../api-client.ts";
import type { ImportPlan } from "../import-plan.ts";
import { parametersOf, type Ids } from "../write-import.ts";
import { addressParameters } from "./address-parameters.ts";
import { hereOf } from "./members.ts";
import type { RecordUpdate } from "./update-plan.ts";

/** What a PUT takes to make the changes of a record. */
export function changeParameters(
  { step, changes }: RecordUpdate,
  { known, ids }: Pick<ImportPlan, "known"> & { readonly ids: Ids },
): JsonObject {
  const { kind } = step;
  const record = known.records[kind].get(step.id) ?? {};
  const names = changes.map(({ name }) => name);
  if (kind === "contact")
    return {
      ...(names.includes("name") && { name: step.record.name }),
      ...(names.includes("addresses") && addressParameters(step.record.addresses, record)),
    };
  const [wanted, here] = [parametersOf(step, ids), hereOf(kind, record)];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [value, before] = [wanted[name], here[name]];
      // A cron and a start take the place of each other.
      if (value === undefined && kind === "maintenance") return [];
      if (value === undefined) return [[name, Array.isArray(before) ? [] : ""]];
      // The API merges objects by key.
      return [[name, isRecord(value) && isRecord(before) ? { ...nulls(before), ...value } : value]];
    }),
  );
}

function nulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(values).map((name) => [name, null]));
}
