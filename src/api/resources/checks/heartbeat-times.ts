import { checkTypeOf } from "../../../checks/registry.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { Check } from "../../../domain/check.ts";
import { countsUntil, expectedAfter } from "../../../domain/heartbeat/heartbeat-plan.ts";
import type { ApiDeps } from "../../deps.ts";

interface HeartbeatTimes {
  readonly expected?: number;
  readonly started?: number;
  readonly aliases?: readonly { readonly system: string; readonly hint: string }[];
}

/** When the next heartbeat of a check is expected, where its absence is a failure and one has come before; and since when a run goes on; and which addresses of other systems work for it. */
export async function heartbeatsToWire(
  { store }: Pick<ApiDeps, "store">,
  check: Check,
  { timeZone }: Pick<Account, "timeZone">,
): Promise<HeartbeatTimes> {
  const type = checkTypeOf(check.type);
  if (type?.driver !== "push") return {};
  const { plan } = type.prepare(check.parameters);
  const [run] = await store.startedRuns.list(check.no);
  const aliases = await store.heartbeatAliases.listOf(check.no);
  const always = {
    ...(run !== undefined && { started: run.startedAt }),
    ...(aliases.length > 0 && { aliases: aliases.map(({ system, hint }) => ({ system, hint })) }),
  };
  if (!plan.failsWhenLate) return { ...always };
  const active = await store.checks.findActive(check.no);
  if (active?.lastStartedAt === undefined) return { ...always };
  const from = Math.max(countsUntil(active.lastStartedAt, plan), active.activeSince);
  const expected = expectedAfter(from, plan, { check, timeZone });
  return { ...always, ...(expected !== undefined && { expected }) };
}
