import { newAlertsFor, withoutAlert } from "../../domain/alert/alert.ts";
import type { Transaction } from "../store.ts";
import { noticeOf, storedCheck, type Noticed } from "./notice.ts";
import { inWindows, recipientsOf } from "./recipients-of.ts";

/** A result that finds a check failing; the check's state says so already. */
export interface FailingAgain extends Omit<Noticed, "from" | "to" | "since"> {
  /** Now, by the clock that alerts go by. */
  readonly at: number;
}

export interface ResumedOutage {
  /** False where the check was not off since it went down, or was changed meanwhile. */
  readonly isResumed: boolean;
  /** Whether it had more recipients than can be alerted. */
  readonly recipientsTruncated: boolean;
}

/** An outage that goes on after its check was off: whoever should have been alerted of it and was not, is alerted now. */
export async function resumeOutage(
  tx: Transaction,
  failing: FailingAgain,
  ids: { alert: () => string },
): Promise<ResumedOutage> {
  const { result, at } = failing;
  const { no: checkNo, accountId, runRevision } = failing.check;
  const { startedAt: since, text, message } = result;
  const isResumed = await tx.states.reopenDownSpan(checkNo, {
    since,
    revision: runRevision,
    text,
    message,
  });
  const { outage, outageSince, acknowledgement } = await tx.states.get(checkNo);
  if (!isResumed || outage === undefined) return { isResumed, recipientsTruncated: false };
  const check = await storedCheck(tx, failing.check);
  await tx.alerts.release(outage, at);
  const { found, isComplete } = await recipientsOf(tx, check);
  const timed = await inWindows(tx, found, { accountId, at });
  const unaware = withoutAlert(timed, await tx.alerts.listByOutage(outage)).filter(
    ({ delayMinutes }) => acknowledgement === undefined || delayMinutes === 0,
  );
  const account = await tx.accounts.find(accountId);
  const notice = noticeOf(
    { ...failing, check, from: "passing", to: "failing", since: outageSince ?? since },
    { accountName: account?.name ?? "", outageSince },
  );
  const common = { flipId: outage, outage, accountId, checkNo, createdAt: at, notice };
  await tx.alerts.insert(
    ...newAlertsFor("down", unaware, at).map((alert) => ({ ...alert, ...common, id: ids.alert() })),
  );
  return { isResumed, recipientsTruncated: !isComplete };
}
