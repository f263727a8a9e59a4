import type { Alert } from "../domain/alert/alert.ts";
import type { Reads } from "../store/store.ts";
import { requireActiveAccount } from "./rules/account.ts";
import { requireCheck } from "./rules/check.ts";
import { requireConfirmation } from "./rules/confirmed.ts";
import { findDiagnostics } from "./rules/diagnostics.ts";
import { findUnacknowledged } from "./rules/escalation.ts";
import { requireMailBudget, type MailBudgetContext } from "./rules/mail-budget.ts";
import { requireOutage, type OutageContext } from "./rules/outage.ts";
import { requireDownSent } from "./rules/require-down-sent.ts";
import { dropUnwantedMissed, type MissedContext } from "./rules/missed.ts";
import { dropMuted } from "./rules/muted.ts";
import { findRecipients } from "./rules/recipient.ts";
import type { StageResult } from "./rules/run-stage.ts";
import { applySuppressions, type DeliverableAlert } from "./rules/suppressions.ts";
import { requireWindow, type WindowContext } from "./rules/window.ts";

/** Runs alerts through every stage, in order, before they are sent. */
export async function filterAlerts(
  alerts: readonly Alert[],
  context: Pick<
    Reads,
    "checks" | "contacts" | "accounts" | "alerts" | "schedules" | "diagnostics" | "states"
  > &
    WindowContext &
    Pick<MissedContext, "dropsPastOutages"> &
    OutageContext &
    MailBudgetContext,
): Promise<StageResult<DeliverableAlert>> {
  const seen: StageResult<unknown>[] = [];
  const pass = <Kept>(sifted: StageResult<Kept>): readonly Kept[] => {
    seen.push(sifted);
    return sifted.kept;
  };
  const addressed = pass(await findRecipients(alerts, context));
  const current = pass(await requireCheck(addressed, context));
  const lasting = pass(await requireOutage(current, context));
  const audible = pass(await dropMuted(lasting, context));
  const accounted = pass(await requireActiveAccount(audible, context));
  const answering = pass(await requireDownSent(accounted, context));
  const missed = pass(await dropUnwantedMissed(answering, context));
  const timely = pass(await requireWindow(missed, context));
  // After all other rules, since a Down that only its address suppresses is still followed by its Up.
  const wanted = pass(await applySuppressions(timely, context));
  const agreed = pass(await requireConfirmation(wanted, context));
  const affordable = pass(await requireMailBudget(agreed, context));
  const escalated = pass(await findUnacknowledged(affordable, context));
  const kept = pass(await findDiagnostics(escalated, context));
  return {
    kept,
    dropped: seen.flatMap(({ dropped }) => dropped),
    postponed: seen.flatMap(({ postponed }) => postponed),
    failed: seen.flatMap(({ failed }) => failed),
  };
}
