import { subscriptionsOf, unknownState } from "../../../domain/check.ts";
import type { Check } from "../../../domain/check.ts";
import { Blocked, InvalidInput, NotFound } from "../../../kit/errors.ts";
import type { CheckRecord } from "../../../store/checks.ts";
import type { Transaction } from "../../../store/store.ts";
import type { ApiDeps } from "../../deps.ts";
import type { Scope } from "../../http/auth.ts";
import { fromWire, parseCheckType } from "./from-wire.ts";
import type { CheckInput } from "./input.ts";
import { toWire } from "./response.ts";
import { assertRecipientsExist } from "./subscriptions.ts";

const MAX_LOOKUP_MS = 1000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "ws:": 80,
  "wss:": 443,
};

export type WriteDeps = Pick<ApiDeps, "store" | "clock" | "ids" | "egress" | "locations" | "quota">;

export async function createCheck(
  deps: WriteDeps,
  scope: Scope,
  input: CheckInput,
): Promise<object> {
  const { account } = scope;
  const draft = fromWire(input, undefined, contextOf(deps, account.id));
  const check = await deps.quota.write(account, async (tx) => {
    await assertRecipientsExist(tx, account.id, {
      known: [],
      wanted: subscriptionsOf(draft.notifications),
    });
    await assertDependency(tx, draft);
    const inserted = await tx.checks.insert(draft);
    await tx.changes.record({ accountId: account.id, checkNo: inserted.no });
    return inserted;
  });
  const record = { check, state: unknownState, openGap: undefined };
  return written(deps, scope, { record, hasNewTarget: true });
}

export async function updateCheck(
  deps: WriteDeps,
  scope: Scope,
  { id, ...input }: CheckInput & { readonly id: string },
): Promise<object> {
  const { account } = scope;
  const { store, quota, clock } = deps;
  const missing = new NotFound("Unable to load check.");
  const known = await store.checks.find(account.id, id);
  if (known === undefined) throw missing;
  const update = async (tx: Transaction): Promise<CheckRecord> => {
    const found = await tx.checks.find(account.id, id);
    if (found === undefined) throw missing;
    const context = contextOf(deps, account.id);
    const check = { ...fromWire(input, found.check, context), no: found.check.no };
    await assertRecipientsExist(tx, account.id, {
      known: subscriptionsOf(found.check.notifications),
      wanted: subscriptionsOf(check.notifications),
    });
    if (check.dependsOn !== found.check.dependsOn) await assertDependency(tx, check);
    await tx.checks.update(check, clock.now());
    await tx.changes.record({ accountId: account.id, checkNo: check.no });
    return { ...found, check };
  };
  // Of two updates at the same moment the second merges into what the first wrote.
  const record = await quota.write(account, update, { checks: [known.check.no] });
  const hasNewTarget = input.target !== undefined || input.type !== undefined;
  return written(deps, scope, { record, hasNewTarget });
}

function contextOf(
  { ids, clock, locations }: WriteDeps,
  accountId: string,
): Parameters<typeof fromWire>[2] {
  return { accountId, ids, now: clock.now(), locations: locations() };
}

async function written(
  deps: WriteDeps,
  scope: Scope,
  { record, hasNewTarget }: { readonly record: CheckRecord; readonly hasNewTarget: boolean },
): Promise<object> {
  const warning = hasNewTarget ? await blockedReason(deps, record.check) : undefined;
  return {
    ...toWire(record, { scope, status: "modified" }),
    change: record.check.modifiedAt,
    ...(warning === undefined ? {} : { warning }),
  };
}

/** Why the egress policy blocks the target, where its name resolves in time. */
async function blockedReason(
  { clock, egress }: WriteDeps,
  { type, parameters }: Check,
): Promise<string | undefined> {
  const { target } = parameters;
  if (parseCheckType(type).target === "none" || typeof target !== "string") return undefined;
  const abort = new AbortController();
  const timer = clock.setTimer(() => abort.abort(), MAX_LOOKUP_MS);
  try {
    const url = URL.parse(target);
    const http = url !== null && /^(?:https?|wss?):$/.test(url.protocol);
    await egress.resolve(url?.hostname || target, {
      ...(http && { port: Number(url.port) || DEFAULT_PORTS[url.protocol], path: url.pathname }),
      signal: abort.signal,
    });
    return undefined;
  } catch (error) {
    // A name that does not resolve, or not in time, is a result of the check itself.
    return error instanceof Blocked ? error.message : undefined;
  } finally {
    timer.cancel();
  }
}

/** How many checks may depend on each other in a row. */
const LONGEST_CHAIN = 10;

/**
 * Refuses a circle of dependencies: if all of its checks failed, each would suppress the alerts of another. Refuses a long chain too, for each write of a
 * dependency reads all of it.
 */
async function assertDependency(
  { checks }: Transaction,
  { id, accountId, dependsOn }: Omit<Check, "no">,
): Promise<void> {
  if (dependsOn === undefined) return;
  const above = await checks.dependencyChain(accountId, dependsOn, LONGEST_CHAIN + 1);
  if (above.length === 0) throw new InvalidInput(`dep: no such check ${JSON.stringify(dependsOn)}`);
  if (above.includes(id)) throw new InvalidInput("dep: leads back to the check itself");
  const below = await checks.levelsOfDependents(accountId, id, LONGEST_CHAIN);
  if (above.length + below > LONGEST_CHAIN)
    throw new InvalidInput(
      `dep: makes a chain of more than ${LONGEST_CHAIN} dependencies, each of one check on the next`,
    );
}
