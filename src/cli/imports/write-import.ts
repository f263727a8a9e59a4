import { z } from "zod";

import { messageOf } from "../../kit/errors.ts";
import { parseResponse } from "../api-client.ts";
import type { ApiClient, JsonObject } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import { sendHistory } from "./history/send-history.ts";
import type { Histories } from "./history/send-history.ts";
import { allSteps } from "./import-plan.ts";
import type { Action, ImportPlan, ImportStep } from "./import-plan.ts";
import type {
  ImportedCheck,
  ImportedContact,
  ImportedMaintenance,
  ImportedStatusPage,
} from "./imported.ts";

const created = z.object({ _id: z.string() });
/** Where nothing works anymore, it is not the records. */
const MOST_FAILURES_IN_A_ROW = 10;

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
type Ids = Readonly<Record<ImportStep["kind"], Map<string, string>>>;

/** Carries out a plan, one record after the other: each is marked last, so that one that failed half-way is found again. One that is refused is left out. */
export async function writeImport(plan: ImportPlan, deps: Deps): Promise<void> {
  const ids: Ids = {
    contact: new Map(),
    check: new Map(),
    maintenance: new Map(),
    statuspage: new Map(),
  };
  let failures = 0;
  for (const step of allSteps(plan)) {
    const { kind, action, record } = step;
    const { from, name } = record;
    try {
      const { id, warnings } = await writeStep(step, { ids, histories: plan.histories }, deps);
      ids[kind].set(from, id);
      failures = 0;
      deps.wrote({ kind, action, from, name, id, warnings });
    } catch (error) {
      failures += 1;
      deps.wrote({ kind, action: "fail", from, name, id: undefined, warnings: [messageOf(error)] });
      if (failures === MOST_FAILURES_IN_A_ROW)
        throw new CommandError(`${failures} records in a row were refused`, { cause: error });
    }
  }
}

async function writeStep(
  step: ImportStep,
  { ids, histories }: { readonly ids: Ids; readonly histories: Histories },
  { api, origin }: Deps,
): Promise<{ readonly id: string; readonly warnings: readonly string[] }> {
  const { action, record } = step;
  const id = action === "create" ? await create(step, ids, api) : step.id;
  const warnings: string[] = [];
  if (action !== "keep") {
    const aliases = step.kind === "check" ? step.record.aliases : [];
    warnings.push(...(await addAliases(api, id, aliases)));
    await api("POST", `imports/${id}`, { origin, from: record.from });
  }
  const history = step.kind === "check" ? step.record.history : undefined;
  if (history !== undefined)
    await sendHistory(api, { id, origin, history, known: histories[id] }).catch((error: unknown) =>
      warnings.push(`its history does not come: ${messageOf(error)}`),
    );
  return { id, warnings };
}

async function create(step: ImportStep, ids: Ids, api: ApiClient): Promise<string> {
  if (step.kind === "contact") return make(api, "contacts", contactParameters(step.record));
  if (step.kind === "check") return make(api, "checks", checkParameters(step.record, ids));
  if (step.kind === "statuspage")
    return make(api, "statuspages", statusPageParameters(step.record, ids));
  return make(api, "maintenance", maintenanceParameters(step.record, ids));
}

async function make(api: ApiClient, resource: string, sent: JsonObject): Promise<string> {
  const answer = await api("POST", resource, sent);
  if (resource !== "maintenance") return parseResponse(created, answer)._id;
  const { ok: _ok, message: _message, warning: _warning, ...made } = answer;
  return Object.keys(made)[0] ?? "";
}

function contactParameters({ name, addresses }: ImportedContact): JsonObject {
  return { name, custrole: "notify", ...(addresses.length > 0 && { newaddresses: addresses }) };
}

function checkParameters(
  { name, type, target, parameters, recipients }: ImportedCheck,
  ids: Ids,
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
  ids: Ids,
): JsonObject {
  return { name, ...parameters, checklist: checks.flatMap((each) => ids.check.get(each) ?? []) };
}

/** Checks that did not come are not on it. */
function statusPageParameters(
  { name, parameters, sections }: ImportedStatusPage,
  ids: Ids,
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

/** That one is taken is no reason to leave out the check. */
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
