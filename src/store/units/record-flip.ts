import { newAlertsFor, alertsOnRecovery } from "../../domain/alert/alert.ts";
import type { NewAlert } from "../../domain/alert/alert.ts";
import type { Check } from "../../domain/check.ts";
import type { Expansion } from "../../domain/contact/recipients.ts";
import type { Transaction } from "../store.ts";
import { noticeOf, storedCheck } from "./notice.ts";
import type { Noticed } from "./notice.ts";
import { inWindows, recipientsOf } from "./recipients-of.ts";
import { recordObservation } from "./record-observation.ts";

export interface ConfirmedFlip extends Noticed {
  /** When it was confirmed, by the clock that alerts go by; a result's own times run ahead after that clock was set back. */
  readonly at?: number;
  /** A location that can look why the check went down; none did where nobody probed it. */
  readonly diagnosticsLocation?: string;
}

export interface RecordedFlip {
  /** False where another was first, or the check was changed or switched off meanwhile. */
  readonly won: boolean;
  /** Whether it had more recipients than can be alerted. */
  readonly recipientsTruncated: boolean;
}

/** The one transaction of a flip: state, down span, result and every alert that follows, or none of it. */
export async function recordFlip(
  tx: Transaction,
  confirmed: ConfirmedFlip,
  ids: { alert: () => string },
): Promise<RecordedFlip> {
  const { from, to, result, since, at = result.endedAt } = confirmed;
  const before = await tx.states.get(confirmed.check.no);
  const flipId = ids.alert();
  const won = await tx.states.flip({
    id: flipId,
    checkNo: confirmed.check.no,
    from,
    to,
    at,
    since,
    revision: confirmed.check.runRevision,
    text: result.text,
    message: result.message,
  });
  if (!won) return { won, recipientsTruncated: false };
  await tx.results.append(result);
  await recordObservation(tx, result, { ...confirmed.observation, flipped: true });
  const outage = to === "failing" ? flipId : before.outage;
  const check = await storedCheck(tx, confirmed.check);
  const account = await tx.accounts.find(check.accountId);
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
  const earlier = from === "passing" ? await tx.results.last(check.no, since - 1) : undefined;
  const notice = noticeOf(
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
    await tx.alerts.drop(cancel, "recovered", at);
    if (outage !== undefined) await tx.alerts.dropReminders(outage, at);
    return { found: notify, isComplete: true };
  }
  const kind: "down" | "first" = from === undefined ? "first" : "down";
  if (kind === "down") await tx.alerts.dropEarlyFirst(check.no, "outdated", at);
  const { found, isComplete } = await recipientsOf(tx, check);
  const timed = await inWindows(tx, found, { accountId: check.accountId, at });
  return { found: newAlertsFor(kind, timed, at), isComplete };
}
