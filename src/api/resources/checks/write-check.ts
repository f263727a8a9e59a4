import { isSwitchedOn, subscriptionsOf, unknownState, type Check } from "../../../domain/check.ts";
import { createDeadline } from "../../../kit/abort.ts";
import { Blocked, InvalidInput, NotFound } from "../../../kit/errors.ts";
import type { Transaction } from "../../../store/store.ts";
import type { CheckRecord } from "../../../store/tables/checks.ts";
import { recipientsOf } from "../../../store/transactions/recipients-of.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { Call } from "../../http/auth.ts";
import { parseCheckRequest, parseCheckType, type WriteContext } from "./parse-check.ts";
import type { CheckInput } from "./input.ts";
import { toResponse } from "./response.ts";
import { assertRecipientsExist } from "./subscriptions.ts";

const MAX_LOOKUP_MS = 1000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "ws:": 80,
  "wss:": 443,
};

export type WriteDeps = Pick<ResourceDeps, "store" | "clock" | "ids" | "egress" | "locations">;

export async function createCheck(
  deps: WriteDeps,
  call: Call,
  { quietFirst = false, ...input }: CheckInput & { readonly quietFirst?: boolean },
): Promise<object> {
  const { account } = call;
  const draft = { ...parseCheckRequest(input, undefined, contextOf(deps, call)), quietFirst };
  call.about(draft.id);
  const check = await call.writeWithinLimits(account, async (tx) => {
    await assertRecipientsExist(tx, account.id, {
      known: [],
      wanted: subscriptionsOf(draft.notifications),
      call,
    });
    await assertDependency(tx, draft);
    const inserted = await tx.checks.insert(draft);
    await tx.changes.record({ accountId: account.id, checkNo: inserted.no });
    await warnOfSilence(tx, inserted, call);
    return inserted;
  });
  if (!isSwitchedOn(check))
    call.warn("enabled: the check is off, and runs only with enabled true", "grave");
  const record = { check, state: unknownState, openGap: undefined };
  return written(deps, call, { record, hasNewTarget: true });
}

export async function updateCheck(
  deps: WriteDeps,
  call: Call,
  { id, ...input }: CheckInput & { readonly id: string },
): Promise<object> {
  const { account } = call;
  const { store } = deps;
  const missing = new NotFound("Unable to load check.");
  const known = await store.checks.find(account.id, id);
  if (known === undefined) throw missing;
  const update = async (tx: Transaction): Promise<CheckRecord> => {
    const found = await tx.checks.find(account.id, id);
    if (found === undefined) throw missing;
    return changeCheck(deps, call, { tx, found, input });
  };
  // The second of two concurrent updates merges into the result of the first.
  const record = await call.writeWithinLimits(account, update, { checks: [known.check.no] });
  const hasNewTarget = input.target !== undefined || input.type !== undefined;
  return written(deps, call, { record, hasNewTarget });
}

interface CheckChange {
  readonly tx: Transaction;
  readonly found: CheckRecord;
  readonly input: CheckInput;
}

/** Within a unit. Throws InvalidInput before anything is written. */
export async function changeCheck(
  deps: WriteDeps,
  call: Call,
  { tx, found, input }: CheckChange,
): Promise<CheckRecord> {
  const { account } = call;
  const context = contextOf(deps, call);
  const check = { ...parseCheckRequest(input, found.check, context), no: found.check.no };
  await assertRecipientsExist(tx, account.id, {
    known: subscriptionsOf(found.check.notifications),
    wanted: subscriptionsOf(check.notifications),
    call,
  });
  if (check.dependsOn !== found.check.dependsOn) await assertDependency(tx, check);
  await tx.checks.update(check, deps.clock.now());
  await tx.changes.record({ accountId: account.id, checkNo: check.no });
  if (isSwitchedOn(check)) await warnOfSilence(tx, check, call);
  else if (check.enabled && (input.enabled ?? input.enable) === true)
    call.warn("enabled: the check stays off until disableall is false", "grave");
  return { ...found, check };
}

/** Warns of a profile, a group, or a contact without recipients. */
async function warnOfSilence(
  tx: Transaction,
  check: Pick<Check, "accountId" | "notifications">,
  { warn }: Call,
): Promise<void> {
  const { found } = await recipientsOf(tx, check);
  if (found.length === 0) warn("notifications: nobody is alerted of this check", "grave");
}

function contextOf({ ids, clock, locations }: WriteDeps, call: Call): WriteContext {
  return { accountId: call.account.id, ids, now: clock.now(), locations: locations(), call };
}

async function written(
  deps: WriteDeps,
  call: Call,
  { record, hasNewTarget }: { readonly record: CheckRecord; readonly hasNewTarget: boolean },
): Promise<object> {
  const blocked = hasNewTarget ? await blockedReason(deps, record.check) : undefined;
  if (blocked !== undefined) call.warn(blocked, "grave");
  return {
    ...toResponse(record, { scope: call, status: "modified" }),
    change: record.check.modifiedAt,
  };
}

/** Returns the reason why the egress policy blocks the target, if its name resolves in time. */
async function blockedReason(
  { clock, egress }: WriteDeps,
  { type, parameters }: Check,
): Promise<string | undefined> {
  const { target } = parameters;
  if (parseCheckType(type).target === "none" || typeof target !== "string") return undefined;
  using deadline = createDeadline(clock, MAX_LOOKUP_MS);
  try {
    const url = URL.parse(target);
    const http = url !== null && /^(?:https?|wss?):$/.test(url.protocol);
    await egress.resolve(url?.hostname || target, {
      ...(http && { port: Number(url.port) || DEFAULT_PORTS[url.protocol], path: url.pathname }),
      signal: deadline.signal,
    });
    return undefined;
  } catch (error) {
    // A name that does not resolve, or not in time, is a result of the check itself.
    return error instanceof Blocked ? error.message : undefined;
  }
}

/** How many checks may depend on each other in a row. */
const MAX_CHAIN_LENGTH = 10;

/**
 * Refuses a cycle of dependencies: if all of its checks failed, each would suppress the alerts of another. Refuses a long chain too, for each write of a
 * dependency reads all of it.
 */
async function assertDependency(
  { checks }: Transaction,
  { id, accountId, dependsOn }: Omit<Check, "no">,
): Promise<void> {
  if (dependsOn === undefined) return;
  const above = await checks.dependencyChain(accountId, dependsOn, MAX_CHAIN_LENGTH + 1);
  if (above.length === 0) throw new InvalidInput(`dep: no such check ${JSON.stringify(dependsOn)}`);
  // guard: cycles of dependencies
  if (above.includes(id)) throw new InvalidInput("dep: leads back to the check itself");
  const below = await checks.levelsOfDependents(accountId, id, MAX_CHAIN_LENGTH);
  // guard: length of chains of dependencies
  if (above.length + below > MAX_CHAIN_LENGTH)
    throw new InvalidInput(
      `dep: makes a chain of more than ${MAX_CHAIN_LENGTH} dependencies, each of one check on the next`,
    );
}
