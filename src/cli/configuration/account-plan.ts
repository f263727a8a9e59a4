import type { ApiClient } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import type { Configuration } from "./document.ts";
import { newAccountConfiguration, newAccountParameters } from "./new-account.ts";
import { planOf, type Plan } from "./plan.ts";
import { readConfiguration } from "./read-account.ts";
import type { ConfigurationStep } from "./step.ts";
import type { DeclaredAccount, DeclaredRecord } from "./declaration.ts";
import type { Faults } from "./source/faults.ts";
import { recordKey } from "./find-records.ts";
import { digestOf, nothingManaged, readManaged, type Managed } from "./managed.ts";
import { resolveAccount, type Resolved } from "./resolve.ts";
import { sectionNames, shapes, type SectionName } from "./shapes.ts";
import { textOf } from "./text-of.ts";

/** An account of the files, and the account that they are applied to. */
export interface Target {
  readonly declared: DeclaredAccount;
  /** The name of the configuration. */
  readonly name: string;
  /** Undefined if it does not exist yet. */
  readonly accountId: string | undefined;
  /** The key of a subaccount. */
  readonly subaccount: string | undefined;
  readonly isSubaccount: boolean;
}

/** Plan for an account, with its known state. */
export interface AccountPlan {
  readonly target: Target;
  readonly current: Configuration;
  readonly wanted: Configuration;
  readonly managed: Managed;
  readonly plan: Plan;
  readonly items: readonly PlanItem[];
  /** Records created by the configuration and no longer in the files, by section and key, whether or not they are deleted. */
  readonly abandoned: readonly string[];
  /** Keys that are forgotten, for their records are gone or have other keys now. */
  readonly forgotten: readonly string[];
}

/** A step, and what it means to who keeps the files. */
export interface PlanItem {
  readonly step: ConfigurationStep;
  /** Undefined for what the files do not have. */
  readonly record: DeclaredRecord | undefined;
  /** The section and key; undefined for the account itself. */
  readonly key: string | undefined;
  /** The id of a record that is there. */
  readonly id: string | undefined;
  /** The files say what they said when they were applied, and yet it differs. */
  readonly isDrift: boolean;
  /** It is there, and this configuration did not make it. */
  readonly isTakenOver: boolean;
}

export async function planAccount(
  api: ApiClient,
  target: Target,
  { prune, faults }: { readonly prune: boolean; readonly faults: Faults },
): Promise<() => AccountPlan> {
  const { accountId, declared, name } = target;
  const current =
    accountId === undefined ? newAccount(target) : await readConfiguration(api, accountId);
  const managed =
    accountId === undefined ? nothingManaged : await readManaged(api, accountId, name);
  const resolved = resolveAccount(declared, current, { remembered: managed.records, faults });
  assertUnclaimed(resolved, managed, faults);
  if (accountId === undefined) assertCanBeMade(resolved, declared, faults);
  // Only where nothing of any account has a fault is there anything to plan.
  return () => planned({ target, current, managed, resolved }, prune);
}

function planned(
  {
    target,
    current,
    managed,
    resolved,
  }: Pick<AccountPlan, "target" | "current" | "managed"> & {
    readonly resolved: Resolved;
  },
  prune: boolean,
): AccountPlan {
  const { wanted } = resolved;
  const { abandoned, forgotten } = leftOver(resolved, { target, current, managed });
  const mayGo = new Map(
    abandoned.map((key) => [`${keyParts(key).section} ${managed.records[key]?.id ?? ""}`, key]),
  );
  const plan = planOf(wanted, current, {
    prune,
    isSubaccount: target.isSubaccount,
    mayPrune: ({ kind, id }) => mayGo.has(`${sectionOfKind(kind) ?? ""} ${id}`),
  });
  const items = plan.steps.map((step): PlanItem => {
    const section = sectionOfKind(step.kind);
    const title = `${section ?? ""} ${step.id}`;
    const declared = resolved.byId.get(title);
    if (section === undefined || declared === undefined)
      return {
        step,
        record: step.kind === "account" ? target.declared.account : undefined,
        key: mayGo.get(title),
        id: step.change === "prune" ? step.id : undefined,
        isDrift: false,
        isTakenOver: false,
      };
    const key = recordKey(section, declared.record.key);
    const id = resolved.found[section].get(declared.record.key);
    const before = managed.records[key];
    return {
      step,
      record: declared.record,
      key,
      id,
      isDrift: step.change === "change" && isAsApplied(declared.record, before, managed),
      isTakenOver: id !== undefined && before?.id !== id,
    };
  });
  return { target, current, wanted, managed, plan, items, abandoned, forgotten };
}

/** Returns whether the files say what they said when they were applied; false where that cannot be known. */
function isAsApplied(
  record: DeclaredRecord,
  before: Managed["records"][string] | undefined,
  { digestKey }: Managed,
): boolean {
  const digest = digestOf(record, digestKey);
  return digest !== undefined && digest === before?.digest;
}

export function sectionOfKind(kind: ConfigurationStep["kind"]): SectionName | undefined {
  return sectionNames.find((section) => shapes[section].kind === kind);
}

function keyParts(key: string): { readonly section: string; readonly key: string } {
  const at = key.indexOf("/");
  return { section: key.slice(0, at), key: key.slice(at + 1) };
}

function leftOver(
  { found }: Resolved,
  { target, current, managed }: Pick<AccountPlan, "target" | "current" | "managed">,
): Pick<AccountPlan, "abandoned" | "forgotten"> {
  const [abandoned, forgotten]: [string[], string[]] = [[], []];
  const taken: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
    sectionNames.map((section) => [section, new Set(found[section].values())]),
  );
  for (const [whole, { id }] of Object.entries(managed.records)) {
    const { section: name, key } = keyParts(whole);
    const section = sectionNames.find((each) => each === name);
    if (section === undefined) continue;
    if (found[section].get(key) === id) continue;
    if (taken[section]?.has(id) === true || !Object.hasOwn(current[section], id)) {
      // A key that is still there is noted with its new record.
      if (!target.declared.sections[section].has(key)) forgotten.push(whole);
    } else abandoned.push(whole);
  }
  return { abandoned, forgotten };
}

/** Two configurations that both say what a record is would change it in turn. */
function assertUnclaimed({ found, byId }: Resolved, { others }: Managed, faults: Faults): void {
  for (const { section, record } of byId.values()) {
    const other = others.get(`${section} ${found[section].get(record.key) ?? ""}`);
    if (other !== undefined)
      faults.add(record.place, `is managed by the configuration ${JSON.stringify(other)} already`);
  }
}

/** A subaccount is made with its first contact. */
function assertCanBeMade({ wanted }: Resolved, { place }: DeclaredAccount, faults: Faults): void {
  try {
    newAccountParameters(wanted);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    faults.add(place, error.message);
  }
}

/** A subaccount that is to be made. */
function newAccount({ declared, subaccount }: Target): Configuration {
  const { values = {} } = declared.account ?? {};
  const account: Configuration["account"] = {
    _id: "",
    customer_name: textOf(values.name ?? subaccount),
    status: "Active",
    timezone: textOf(values.timezone ?? "GMT"),
    defaultlocations: [values.location ?? "wlw"].flat().map(textOf),
    emailme: false,
    accountsuppressall: false,
    autodiagnotifications: false,
  };
  const empty = { contactgroups: {}, schedules: {}, notificationprofiles: {} };
  return newAccountConfiguration({
    ...empty,
    account,
    contacts: {},
    checks: {},
    maintenance: {},
    statuspages: {},
  });
}
