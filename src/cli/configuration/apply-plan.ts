import { isRecord } from "../../kit/safe-json.ts";
import { parseResponse, type ApiClient, type JsonObject } from "../api-client.ts";
import { addressEntries } from "./document.ts";
import { recordError } from "./record-error.ts";
import { matchAddresses } from "./match.ts";
import type { Plan } from "./plan.ts";
import { resources, type ConfigurationStep } from "./step.ts";

/** Checks that are written at the same time, so that they share commits of the service. */
const MAX_AT_ONCE = 16;

interface Running {
  readonly step: ConfigurationStep;
  readonly answer: Promise<JsonObject | undefined>;
}

/**
 * Applies a plan in order. Checks are written several at a time, each after its dependency. `done` is called for each step in plan order, with the last
 * response if there was one. After a refused call no further step starts, and `done` is called for the pending ones that succeed.
 */
export async function applyPlan(
  plan: Plan,
  { api, accountId }: { readonly api: ApiClient; readonly accountId: string },
  done: (step: ConfigurationStep, answer: JsonObject | undefined) => void | Promise<void>,
): Promise<void> {
  const ids = new Map(plan.matches);
  const begun = new Map<string, Running["answer"]>();
  const running: Running[] = [];
  const finish = async (most: number): Promise<void> => {
    while (running.length > most) {
      const [first] = running.splice(0, 1);
      if (first !== undefined) await done(first.step, await first.answer);
    }
  };
  const write = async (step: ConfigurationStep): Promise<JsonObject | undefined> => {
    if (step.dependsOn !== undefined) await begun.get(step.dependsOn);
    return applyStep(step, { api, accountId, ids });
  };
  try {
    for (const step of plan.steps) {
      const isCheck = step.kind === "check";
      await finish(isCheck ? MAX_AT_ONCE - 1 : 0);
      const answer = write(step);
      // It is awaited later, and may have failed by then.
      answer.catch(() => {});
      if (isCheck) begun.set(step.id, answer);
      running.push({ step, answer });
      if (!isCheck) await finish(0);
    }
    await finish(0);
  } catch (error) {
    for (const { step, answer } of running) {
      const written = await answer.then(
        (each) => ({ answer: each }),
        () => undefined,
      );
      if (written !== undefined) await done(step, written.answer);
    }
    throw error;
  }
}

interface Target {
  readonly api: ApiClient;
  readonly accountId: string;
  /** Ids of the account by those of the document; it gets those of new records. */
  readonly ids: Map<string, string>;
}

async function applyStep(
  step: ConfigurationStep,
  { api, accountId, ids }: Target,
): Promise<JsonObject | undefined> {
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
  return answer;
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
