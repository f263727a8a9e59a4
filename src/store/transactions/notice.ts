import type { Notice } from "../../domain/alert/alert.ts";
import type { Check, CheckState } from "../../domain/check.ts";
import { targetWithoutQuery } from "../../domain/target.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import type { Confirmation, Result } from "../../domain/run/result.ts";
import type { State } from "../../domain/run/verdict.ts";
import type { Transaction } from "../store.ts";
import type { Observation } from "./record-observation.ts";

/** Change of a check's state, as reported to people. */
export interface ObservedChange {
  readonly check: Pick<Check, "no" | "id" | "accountId" | "runRevision">;
  readonly from: State | undefined;
  readonly to: State;
  readonly result: Result;
  /** Start of the first run that found the new state. */
  readonly since: number;
  readonly confirmations: readonly Confirmation[];
  readonly observation?: Observation & Pick<Outcome, "certificate">;
  /** The last result before the new state, where the old one was passing. */
  readonly lastPassed?: Pick<Result, "startedAt" | "location" | "text" | "runtimeMs"> | undefined;
}

/** The same with the check as it is stored now. */
interface ObservedChangeOfCheck extends ObservedChange {
  readonly check: Check;
}

/** Returns the stored check, whose data goes into the alert. */
export async function readStoredCheck(
  { checks }: Pick<Transaction, "checks">,
  { accountId, id }: Pick<Check, "accountId" | "id">,
): Promise<Check> {
  const record = await checks.find(accountId, id);
  if (record === undefined)
    throw new Error(`a check that was found failing or passing is gone: ${id}`);
  return record.check;
}

export function buildAlertSnapshot(
  { check, from, to, result, since, confirmations, observation, lastPassed }: ObservedChangeOfCheck,
  {
    accountName,
    outageSince,
    downSince = outageSince,
  }: { readonly accountName: string } & Pick<CheckState, "outageSince"> &
    Partial<Pick<CheckState, "downSince">>,
): Notice {
  const recovered = from === "failing" && outageSince !== undefined;
  // Only what is shown of the outage was moved when a clock that was ahead was set back.
  const began = Math.min(outageSince ?? 0, downSince ?? 0);
  return {
    account: { id: check.accountId, name: accountName },
    check: {
      id: check.id,
      label: check.label,
      type: check.type,
      target: targetWithoutQuery(check.parameters),
      intervalMinutes: check.intervalMinutes,
      description: check.description,
    },
    state: to,
    previous: from,
    since,
    downForMs: recovered ? since - began : undefined,
    ...(recovered && began !== outageSince && { alertedSince: outageSince }),
    result: {
      id: `${check.id}-${result.startedAt}`,
      startedAt: result.startedAt,
      endedAt: result.endedAt,
      runtimeMs: result.runtimeMs,
      reason: result.reason,
      text: result.text,
      message: result.message,
      ...(observation?.evidence !== undefined && { evidence: observation.evidence }),
      ...(observation?.certificate !== undefined && { certificate: observation.certificate }),
    },
    confirmations,
    ...(lastPassed !== undefined && {
      lastPassed: {
        startedAt: lastPassed.startedAt,
        location: lastPassed.location,
        text: lastPassed.text,
        runtimeMs: lastPassed.runtimeMs,
      },
    }),
  };
}
