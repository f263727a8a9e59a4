import { isRecord } from "../../kit/safe-json.ts";
import { parseResponse } from "../api-client.ts";
import type { ApiClient, JsonObject } from "../api-client.ts";
import { addressEntries } from "./document.ts";
import { recordError } from "./record-error.ts";
import { matchAddresses } from "./match.ts";
import type { Plan } from "./plan.ts";
import { resources } from "./step.ts";
import type { Step } from "./step.ts";

/** Applies a plan, one call after the other. `done` is called after each step, with the last response if there was one. */
export async function applyPlan(
  plan: Plan,
  { api, accountId }: { readonly api: ApiClient; readonly accountId: string },
  done: (step: Step, answer: JsonObject | undefined) => void | Promise<void>,
): Promise<void> {
  const ids = new Map(plan.matches);
  for (const step of plan.steps) {
    let answer: JsonObject | undefined;
    for (const { verb, parameters } of step.calls) {
      // The id of a schedule is its name, which is the same in every account.
      const named = step.kind === "schedule" ? parameters : renamed(parameters, ids);
      const sent = { ...named, customerid: accountId };
      answer = await api(verb, resources[step.kind], sent).catch((error: unknown) => {
        throw recordError(step, error);
      });
      // Nothing references a record whose response has no id.
      if (verb === "POST" && typeof answer._id === "string") ids.set(step.id, answer._id);
      if (step.addresses !== undefined) {
        const there = parseResponse(addressEntries, answer.addresses ?? {});
        for (const [from, to] of matchAddresses(step.addresses, there)) ids.set(from, to);
      }
    }
    await done(step, answer);
  }
}

/** Replaces the ids of the document with those of the account. */
function renamed(parameters: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const rename = (id: string): string => ids.get(id) ?? id;
  const { id, dep, members, checklist, notifications, defaultnotifications, sections } = parameters;
  const all = (list: readonly unknown[]) => list.map((each) => rename(String(each)));
  const recipients = (list: readonly unknown[]) =>
    list.filter(isRecord).map((entry) => withKeys(entry, rename));
  return {
    ...parameters,
    ...(typeof id === "string" && { id: rename(id) }),
    ...(typeof dep === "string" && { dep: rename(dep) }),
    ...(Array.isArray(members) && { members: all(members) }),
    ...(Array.isArray(checklist) && { checklist: all(checklist) }),
    ...(Array.isArray(sections) && { sections: sections.map((each) => shown(each, rename)) }),
    ...(Array.isArray(notifications) && { notifications: recipients(notifications) }),
    ...(Array.isArray(defaultnotifications) && {
      defaultnotifications: recipients(defaultnotifications),
    }),
  };
}

/** A section of a status page. */
function shown(section: unknown, rename: (id: string) => string): unknown {
  if (!isRecord(section) || !Array.isArray(section.checks)) return section;
  const checks = section.checks
    .filter(isRecord)
    .map((check) => ({ ...check, id: rename(String(check.id)) }));
  return { ...section, checks };
}

function withKeys(entry: JsonObject, rename: (id: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(entry).map(([id, value]) => [rename(id), value]));
}
