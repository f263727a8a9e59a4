import { startsOutage, messageKindFor, type AlertKind } from "../../domain/alert/alert.ts";
import type { DiagnosticsReport } from "../../domain/diagnostics.ts";
import { isMuted } from "../../domain/contact/mute.ts";
import type { AlertWithAccount } from "./account.ts";
import { muteEnd } from "./muted.ts";
import type { AfterDown } from "./require-down-sent.ts";
import { postponedFor, runStage, type StageResult } from "./run-stage.ts";

export interface DeliverableAlert extends AlertWithAccount {
  /** The kind under which it is sent. */
  readonly kind: AlertKind;
  /** Number of others who received a delayed Down and did not acknowledge it. */
  readonly unacknowledgedBy?: number;
  /** Diagnostics of the outage so far. */
  readonly diagnostics?: DiagnosticsReport;
}

/** Drops alerts to an address that is muted, where a Down waits for the end of the mute, and those of kinds that it suppresses; a retry only where it suppresses everything. */
export async function applySuppressions(
  items: readonly (AlertWithAccount & AfterDown)[],
  { now }: { readonly now: number },
): Promise<StageResult<DeliverableAlert>> {
  const result = await runStage(items, (item) => {
    const { alert, address } = item;
    if (!alert.judged && isMuted(address.mute, now))
      return startsOutage(alert) ? muteEnd(address.mute, now) : "address_muted";
    const kind = item.missed === undefined ? alert.kind : "missed";
    const verdict = messageKindFor({ kind, notice: alert.notice }, address.suppress);
    if ("kind" in verdict) return { ...item, kind: verdict.kind };
    if (!alert.judged || address.suppress.all) return verdict.dropped;
    return { ...item, kind };
  });
  return postponedFor(() => "address_muted", result);
}
