import type { Transaction } from "../store.ts";

/** Shifts stored times by a change of the clock; `now` is the new time. */
export async function shiftTimes(
  { alerts, systemMails, pageMessages, diagnostics, startedRuns, states }: Transaction,
  { byMs, now }: { readonly byMs: number; readonly now: number },
): Promise<void> {
  await alerts.shiftTimes(byMs);
  await systemMails.shiftTimes(byMs);
  await pageMessages.shiftTimes(byMs);
  await diagnostics.shiftTimes(byMs);
  await startedRuns.shiftTimes(byMs);
  // Only the clock that was ahead can have recorded what lies ahead of it now.
  if (byMs < 0) await states.shiftTimesAfter(now, byMs);
}
