import { z } from "zod";

import { messageOf } from "../../kit/errors.ts";
import { parseResponse, type ApiClient, type JsonObject } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import { sendHistory } from "./history/send-history.ts";
import { allSteps, type Action, type ImportPlan, type ImportStep } from "./import-plan.ts";
import type {
  ImportedCheck,
  ImportedContact,
  ImportedMaintenance,
  ImportedStatusPage,
} from "./imported.ts";
import { newPairs, recordOf } from "./update/members.ts";

const created = z.object({ _id: z.string() });
/** After this many consecutive failures, the records are not the cause. */
const MAX_CONSECUTIVE_FAILURES = 10;

export interface Written {
  readonly kind: ImportStep["kind"];
  readonly action: Action | "fail";
  readonly from: string;
  readonly name: string;
  /** Its id here; undefined of one that was refused. */
  readonly id: string | undefined;
  readonly warnings: readonly string[];
}

interface Deps {
  readonly api: ApiClient;
  readonly origin: string;
  readonly wrote: (written: Written) => void;
}

/** Ids here, by ids there. */
export type ImportedIds = Readonly<Record<ImportStep["kind"], Map<string, string>>>;

/** Carries out a plan, one record after the other: each is marked last, so that one that failed half-way is found again. One that is refused is left out. */
export async function writeImport(plan: ImportPlan, deps: Deps): Promise<ImportedIds> {
  const ids = noIds();
  let failures = 0;
  for (const step of allSteps(plan)) {
    const { kind, action, record } = step;
    const { from, name } = record;
    try {
      const { id, warnings } = await writeStep(step, { ids, plan }, deps);
      ids[kind].set(from, id);
      failures = 0;
      deps.wrote({ kind, action, from, name, id, warnings });
    } catch (error) {
      failures += 1;
      deps.wrote({ kind, action: "fail", from, name, id: undefined, warnings: [messageOf(error)] });
      if (failures === MAX_CONSECUTIVE_FAILURES)
        throw new CommandError(`${failures} records in a row were refused`, { cause: error });
    }
  }
  return ids;
}

export function noIds(): ImportedIds {
  return { contact: new Map(), check: new Map(), maintenance: new Map(), statuspage: new Map() };
}

async function writeStep(
  step: ImportStep,
  { ids, plan }: { readonly ids: ImportedIds; readonly plan: ImportPlan },
  { api, origin }: Deps,
): Promise<{ readonly id: string; readonly warnings: readonly string[] }> {
  const { action, record } = step;
  const { id, made } =
    action === "create" ? await create(step, ids, api) : { id: step.id, made: undefined };
  const warnings: string[] = [];
  if (action !== "keep") {
    const aliases = step.kind === "check" ? step.record.aliases : [];
    warnings.push(...(await addAliases(api, id, aliases)));
    const here = made ?? plan.known.records[step.kind].get(id) ?? {};
    const fields = newPairs({ step, here }, plan.known.digest);
    await api("POST", `imports/${id}`, { origin, from: record.from, ...(fields && { fields }) });
  }
  const history = step.kind === "check" ? step.record.history : undefined;
  if (history !== undefined)
    await sendHistory(api, { id, origin, history, known: plan.histories[id] }).catch(
      (error: unknown) => warnings.push(`its history does not come: ${messageOf(error)}`),
    );
  return { id, warnings };
}

export const resourceOf = {
  contact: "contacts",
  check: "checks",
  maintenance: "maintenance",
  statuspage: "statuspages",
} as const satisfies Readonly<Record<ImportStep["kind"], string>>;

interface Made {
  readonly id: string;
  /** The record as it was answered. */
  readonly made: JsonObject;
}

async function create(step: ImportStep, ids: ImportedIds, api: ApiClient): Promise<Made> {
  const answer = await api("POST", resourceOf[step.kind], parametersOf(step, ids));
  if (step.kind !== "maintenance") return { id: parseResponse(created, answer)._id, made: answer };
  const { ok: _ok, message: _message, warning: _warning, ...made } = answer;
  const [id = ""] = Object.keys(made);
  return { id, made: recordOf(answer, id) };
}

/** Returns the parameters of a record's POST, with the IDs of other records here. */
export function parametersOf(step: ImportStep, ids: ImportedIds): JsonObject {
  if (step.kind === "contact") return contactParameters(step.record);
  if (step.kind === "check") return checkParameters(step.record, ids);
  if (step.kind === "statuspage") return statusPageParameters(step.record, ids);
  return maintenanceParameters(step.record, ids);
}

function contactParameters({ name, addresses }: ImportedContact): JsonObject {
  return { name, custrole: "notify", ...(addresses.length > 0 && { newaddresses: addresses }) };
}

function checkParameters(
  { name, type, target, parameters, recipients }: ImportedCheck,
  ids: ImportedIds,
): JsonObject {
  const notifications = recipients.flatMap(({ contact, delay = 0 }) => {
    const id = ids.contact.get(contact);
    return id === undefined ? [] : [{ [id]: { schedule: "All", delay } }];
  });
  return {
    type,
    label: name,
    ...(target !== undefined && { target }),
    ...parameters,
    ...(notifications.length > 0 && { notifications }),
    quietfirst: true,
  };
}

function maintenanceParameters(
  { name, parameters, checks }: ImportedMaintenance,
  ids: ImportedIds,
): JsonObject {
  return { name, ...parameters, checklist: checks.flatMap((each) => ids.check.get(each) ?? []) };
}

/** Checks that did not come are not on it. */
function statusPageParameters(
  { name, parameters, sections }: ImportedStatusPage,
  ids: ImportedIds,
): JsonObject {
  return {
    name,
    ...parameters,
    sections: sections.map(({ name: section, checks }) => ({
      name: section,
      checks: checks.flatMap(({ from, name: shown }) => {
        const id = ids.check.get(from);
        return id === undefined ? [] : [{ id, ...(shown !== "" && { name: shown }) }];
      }),
    })),
  };
}

/** A taken alias is no reason to leave out the check. */
async function addAliases(
  api: ApiClient,
  id: string,
  aliases: readonly string[],
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const url of aliases)
    await api("POST", `heartbeataliases/${id}`, { address: url }).catch((error: unknown) =>
      warnings.push(`its old address does not work here: ${messageOf(error)}`),
    );
  return warnings;
}
