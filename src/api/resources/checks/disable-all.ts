import { z } from "zod";

import type { Check } from "../../../domain/check.ts";
import { createDeadline } from "../../../kit/abort.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { quotedUnlessPlain } from "../../unknown-parameters.ts";
import { findPattern } from "../../../kit/patterns/pattern-search.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import type { Transaction } from "../../../store/store.ts";
import { finishSwitch } from "../../../store/transactions/finish-switch.ts";
import type { ResourceDeps } from "../../deps.ts";
import { warning } from "../responses.ts";
import type { Call } from "../../http/auth.ts";

export const disableAllResponse = z.object({
  disableall: z.int().describe("How many checks this changed"),
  disabled: z.int().describe("How many checks of the account are disabled now"),
  enabled: z.int().describe("How many are not"),
  active: z.int().describe("How many of these run: none of a suspended account, or in maintenance"),
  warning,
});

type Deps = Pick<ResourceDeps, "store" | "clock">;
type Filters = Readonly<Partial<Record<FilterName, string>>>;
type FilterName = (typeof filterNames)[number];

const filterNames = ["type", "label", "target"] as const;
const MAX_PATTERN_LENGTH = 1000;
/** Checks switched in one transaction, as in the store's switch of a whole account. */
const CHECKS_A_UNIT = 100;
/** Maximum search time for the patterns of one request over all checks of an account. */
const SEARCH_MS = 10_000;

/** Returns the remaining parameters as filters of checks: a pattern for each name. */
function filtersOf(values: unknown): Filters {
  if (!isRecord(values)) return {};
  const given = filterNames.flatMap((name) => {
    const value = values[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** Maximum checks named; the rest are only counted. */
const MAX_NAMED = 10;

function ignoredNames(values: unknown): readonly string[] {
  return isRecord(values)
    ? Object.keys(values).filter((name) => name !== "disableall" && name !== "customerid")
    : [];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map(quotedUnlessPlain);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return [all.slice(0, -1).join(", "), ...all.slice(-1)]
    .filter((part) => part !== "")
    .join(" and ");
}

/**
 * Disables every check of the account that is enabled, or enables those again. Clients of the original service choose among the
 * checks by patterns; for all others these are ignored, with a warning.
 */
export async function disableAll(
  deps: Deps,
  { account: { id: accountId }, compatibility, warn, write }: Call,
  { disable, others }: { readonly disable: boolean; readonly others: unknown },
): Promise<z.infer<typeof disableAllResponse>> {
  const { store } = deps;
  const filters = compatibility === "legacy" ? filtersOf(others) : {};
  const chooses = Object.keys(filters).length > 0;
  const change = { accountId, disable, write };
  const changed = chooses
    ? await disableMatching(deps, change, filters)
    : await disableEvery(deps, change);
  const { disabled, enabled } = await store.checks.countDisabled(accountId);
  const active = await store.checks.listActiveNumbers(accountId);
  const ignored = ignoredNames(others).filter((name) => !Object.hasOwn(filters, name));
  if (ignored.length > 0)
    warn(
      `disableall: means ${chooses ? "what the patterns match" : "all checks of the account"}, so ${listed(ignored)} ${ignored.length === 1 ? "was" : "were"} ignored`,
    );
  return {
    disableall: changed,
    disabled,
    enabled,
    active: active.length,
  };
}

interface Change {
  readonly accountId: string;
  readonly disable: boolean;
  readonly write: Call["write"];
}

async function disableEvery(
  { store, clock }: Deps,
  { accountId, disable, write }: Change,
): Promise<number> {
  const count = await write(async (tx) => {
    const switched = await tx.checks.disableAll(accountId, disable, clock.now());
    await tx.changes.record({ accountId, checkNo: undefined });
    return switched;
  });
  await finishSwitch({ checks: store.checks, write }, accountId);
  return count;
}

async function disableMatching(
  deps: Deps,
  { accountId, disable, write }: Change,
  filters: Filters,
): Promise<number> {
  const { clock } = deps;
  const matching = await numbersOfMatching(deps, accountId, filters);
  let count = 0;
  for (let at = 0; at < matching.length; at += CHECKS_A_UNIT) {
    const nos = matching.slice(at, at + CHECKS_A_UNIT);
    const unit = async (tx: Transaction): Promise<number> => {
      const switched = await tx.checks.disable(accountId, nos, { disable, at: clock.now() });
      await tx.changes.record({ accountId, checkNo: undefined });
      return switched;
    };
    count += await write(unit, { checks: nos });
  }
  return count;
}

async function numbersOfMatching(
  { store, clock }: Deps,
  accountId: string,
  filters: Filters,
): Promise<readonly number[]> {
  const patterns = Object.entries(filters);
  for (const [name, pattern] of patterns) assertPattern(name, pattern);
  using deadline = createDeadline(clock, SEARCH_MS);
  const context = { signal: deadline.signal, monotonic: clock.monotonic, accountId };
  const matching: number[] = [];
  for await (const page of store.checks.list(accountId))
    for (const { check } of page)
      if (await matches(check, filters, context)) matching.push(check.no);
  return matching;
}

async function matches(
  check: Check,
  filters: Filters,
  context: Parameters<typeof findPattern>[1],
): Promise<boolean> {
  const { target } = check.parameters;
  const texts = { type: check.type, label: check.label, target };
  for (const name of filterNames) {
    const pattern = filters[name];
    const text = texts[name];
    if (pattern === undefined) continue;
    if (typeof text !== "string" || !(await findPattern({ pattern, text }, context))) return false;
  }
  return true;
}

function assertPattern(name: string, pattern: string): void {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new InvalidInput(`${name}: must have at most ${MAX_PATTERN_LENGTH} characters`);
  if (!isPattern(pattern)) throw new InvalidInput(`${name}: must be a regular expression`);
}

function isPattern(text: string): boolean {
  try {
    return RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
