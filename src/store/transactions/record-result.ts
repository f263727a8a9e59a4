import { newAlertsFor, withoutAlert } from "../../domain/alert/alert.ts";
import type { FailingLocation } from "../../domain/location.ts";
import type { Result } from "../../domain/run/result.ts";
import type { AppendEnd, ResultCondition } from "../results.ts";
import { buildAlertSnapshot, readStoredCheck, type ObservedChange } from "./notice.ts";
import { inWindows, recipientsOf } from "./recipients-of.ts";
import { recordObservation, type Observation } from "./record-observation.ts";
import { endInTransaction } from "./result-condition.ts";
import type { Store, Transaction } from "../store.ts";

interface Deps {
  readonly store: Pick<Store, "append" | "write" | "shortage">;
  readonly ids: { readonly alert: () => string };
}

interface RecordedResult extends ResumedOutage {
  readonly end: AppendEnd;
}

const notResumed: ResumedOutage = { isResumed: false, recipientsTruncated: false };
const recordedAs: Readonly<Record<AppendEnd, RecordedResult>> = {
  stored: { ...notResumed, end: "stored" },
  lost: { ...notResumed, end: "lost" },
  throttled: { ...notResumed, end: "throttled" },
};

/** Stores a result that agrees with the check's state, and with it what it ends or resumes; the cheap way where that is nothing. */
export function recordResult(
  { store, ids }: Deps,
  result: Result,
  also: Observation & {
    /** Set if the check may have been disabled since it went down. */
    readonly failingAgain: Omit<FailingAgain, "result"> | undefined;
    readonly endsTrouble: boolean;
    /** Only where they have changed. */
    readonly failingLocations?: readonly FailingLocation[] | undefined;
    readonly condition?: ResultCondition | undefined;
  },
): Promise<RecordedResult> {
  const { failingAgain, endsTrouble, failingLocations, evidence, newCertificate, condition } = also;
  // A full disk has room only for the evidence of state changes.
  const hasMore =
    store.shortage?.() === undefined && (evidence !== undefined || newCertificate !== undefined);
  if (failingAgain === undefined && failingLocations === undefined && !hasMore) {
    const closesGap = endsTrouble;
    const also = condition === undefined ? { closesGap } : { closesGap, condition };
    return store.append(result, also).then((end) => recordedAs[end]);
  }
  const { checkNo } = result;
  return store.write(
    async (tx) => {
      const end =
        condition === undefined ? "stored" : await endInTransaction(tx, result, condition);
      if (end !== "stored") return { ...notResumed, end };
      const resumed = failingAgain && (await resumeOutage(tx, { ...failingAgain, result }, ids));
      if (endsTrouble) await tx.states.closeGaps([checkNo]);
      if (failingLocations !== undefined)
        await tx.states.setFailingLocations(checkNo, failingLocations);
      await recordObservation(tx, result, { ...also, flipped: false });
      await tx.results.append(result);
      return { ...(resumed ?? notResumed), end };
    },
    { checks: [checkNo] },
  );
}

/** A result that finds a check failing; the check's state says so already. */
interface FailingAgain extends Omit<ObservedChange, "from" | "to" | "since"> {
  /** Now, by the clock that alerts go by. */
  readonly at: number;
}

interface ResumedOutage {
  /** False if the check was not disabled since it went down, or changed meanwhile. */
  readonly isResumed: boolean;
  /** Whether it had more recipients than can be alerted. */
  readonly recipientsTruncated: boolean;
}

/** Resumes an outage after its check was disabled: recipients who were not alerted are alerted now. */
async function resumeOutage(
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
  const check = await readStoredCheck(tx, failing.check);
  await tx.alerts.release(outage, at);
  const { found, isComplete } = await recipientsOf(tx, check);
  const timed = await inWindows(tx, found, { accountId, at });
  const unaware = withoutAlert(timed, await tx.alerts.listByOutage(outage)).filter(
    ({ delayMinutes }) => acknowledgement === undefined || delayMinutes === 0,
  );
  const account = await tx.accounts.find(accountId);
  const notice = buildAlertSnapshot(
    { ...failing, check, from: "passing", to: "failing", since: outageSince ?? since },
    { accountName: account?.name ?? "", outageSince },
  );
  const common = { flipId: outage, outage, accountId, checkNo, createdAt: at, notice };
  await tx.alerts.insert(
    ...newAlertsFor("down", unaware, at).map((alert) => ({ ...alert, ...common, id: ids.alert() })),
  );
  return { isResumed, recipientsTruncated: !isComplete };
}
