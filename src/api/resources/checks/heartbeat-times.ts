import { checkTypeOf } from "../../../checks/registry.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { Check } from "../../../domain/check.ts";
import { countsUntil, expectedAfter } from "../../../domain/heartbeat/heartbeat-plan.ts";
import type { ApiDeps } from "../../deps.ts";

interface HeartbeatTimes {
  readonly expected?: number;
  readonly started?: number;
}

/** When the next heartbeat of a check is expected, where its absence is a failure and one has come before; and since when a run goes on. */
export async function heartbeatsToWire(
  { store }: Pick<ApiDeps, "store">,
  check: Check,
  { timeZone }: Pick<Account, "timeZone">,
): Promise<HeartbeatTimes> {
  const type = checkTypeOf(check.type);
  if (type?.driver !== "push") return {};
  const { plan } = type.prepare(check.parameters);
  const [run] = await store.startedRuns.list(check.no);
  const started = run && { started: run.startedAt };
  if (!plan.failsWhenLate) return { ...started };
  const active = await store.checks.findActive(check.no);
  if (active?.lastStartedAt === undefined) return { ...started };
  const from = Math.max(countsUntil(active.lastStartedAt, plan), active.activeSince);
  const expected = expectedAfter(from, plan, { check, timeZone });
  return { ...started, ...(expected !== undefined && { expected }) };
}
