import { newAlertsFor, alertsOnRecovery, type NewAlert } from "../../domain/alert/alert.ts";
import type { Check } from "../../domain/check.ts";
import type { Expansion } from "../../domain/contact/recipients.ts";
import { settleAll } from "../../kit/settle-all.ts";
import type { Transaction } from "../store.ts";
import { buildAlertSnapshot, readStoredCheck, type ObservedChange } from "./notice.ts";
import { inWindows, recipientsOf } from "./recipients-of.ts";
import { recordObservation } from "./record-observation.ts";

export interface ConfirmedFlip extends ObservedChange {
  /** Time of confirmation by the clock of alerts, because result times run ahead after that clock was set back. */
  readonly at?: number;
  /** Location that can run diagnostics; undefined if no probe ran the check. */
  readonly diagnosticsLocation?: string;
}

export interface RecordedFlip {
  /** False if another was first, or the check was changed or disabled meanwhile. */
  readonly won: boolean;
  /** Whether it had more recipients than can be alerted. */
  readonly recipientsTruncated: boolean;
}

/** Performs the single transaction of a flip: state, down span, result, and every alert that follows. */
export async function recordFlip(
  tx: Transaction,
  confirmed: ConfirmedFlip,
  ids: { alert: () => string },
): Promise<RecordedFlip> {
  const { from, to, result, since, at = result.endedAt } = confirmed;
  const flipId = ids.alert();
  const [before, won] = await settleAll(
    tx.states.get(confirmed.check.no),
    tx.states.flip({
      id: flipId,
      checkNo: confirmed.check.no,
      from,
      to,
      at,
      since,
      revision: confirmed.check.runRevision,
      text: result.text,
      message: result.message,
    }),
  );
  if (!won) return { won, recipientsTruncated: false };
  const [check, account, earlier] = await settleAll(
    readStoredCheck(tx, confirmed.check),
    tx.accounts.find(confirmed.check.accountId),
    from === "passing" ? tx.results.last(confirmed.check.no, since - 1) : undefined,
    tx.results.append(result),
    recordObservation(tx, result, { ...confirmed.observation, flipped: true }),
  );
  const outage = to === "failing" ? flipId : before.outage;
  const wanted = check.diagnose || account?.autoDiagnostics === true;
  if (to === "failing" && wanted && confirmed.diagnosticsLocation !== undefined) {
    await tx.diagnostics.insert({
      id: ids.alert(),
      accountId: check.accountId,
      checkNo: check.no,
      checkId: check.id,
      outage: flipId,
      location: confirmed.diagnosticsLocation,
      createdAt: at,
    });
  }
  const notice = buildAlertSnapshot(
    { ...confirmed, check, lastPassed: earlier?.passed === true ? earlier : undefined },
    { accountName: account?.name ?? "", ...before },
  );
  const following = await alertsFor(tx, { check, from, to, outage: before.outage, at });
  const common = { flipId, accountId: check.accountId, checkNo: check.no, createdAt: at, notice };
  await tx.alerts.insert(
    ...following.found.map((alert) => ({ ...alert, ...common, outage, id: ids.alert() })),
  );
  return { won, recipientsTruncated: !following.isComplete };
}

interface AlertedFlip extends Pick<ConfirmedFlip, "from" | "to"> {
  readonly check: Check;
  /** The one that it ends. */
  readonly outage: string | undefined;
  readonly at: number;
}

async function alertsFor(
  tx: Transaction,
  { check, from, to, outage, at }: AlertedFlip,
): Promise<Expansion<NewAlert>> {
  if (from === "failing" && to === "passing") {
    const { cancel, notify } = alertsOnRecovery(
      outage === undefined ? [] : await tx.alerts.listByOutage(outage),
      at,
    );
    await settleAll(
      cancel.length > 0 && tx.alerts.drop(cancel, "recovered", at),
      outage !== undefined && tx.alerts.dropReminders(outage, at),
    );
    return { found: notify, isComplete: true };
  }
  if (to === "passing" && check.quietFirst) return { found: [], isComplete: true };
  const kind: "down" | "first" = from === undefined ? "first" : "down";
  if (kind === "down") await tx.alerts.dropEarlyFirst(check.no, "outdated", at);
  const { found, isComplete } = await recipientsOf(tx, check);
  const timed = await inWindows(tx, found, { accountId: check.accountId, at });
  return { found: newAlertsFor(kind, timed, at), isComplete };
}
