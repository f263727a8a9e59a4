import type { FailingLocation } from "../../domain/location.ts";
import type { Result } from "../../domain/run/result.ts";
import type { AppendEnd, ResultCondition } from "../results.ts";
import { recordObservation, type Observation } from "./record-observation.ts";
import { resumeOutage, type FailingAgain, type ResumedOutage } from "./resume-outage.ts";
import { endInUnit } from "./result-condition.ts";
import type { Store } from "../store.ts";

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
    /** Where the check may have been off since it went down. */
    readonly failingAgain: Omit<FailingAgain, "result"> | undefined;
    readonly endsTrouble: boolean;
    /** Only where they have changed. */
    readonly failingLocations?: readonly FailingLocation[] | undefined;
    readonly condition?: ResultCondition | undefined;
  },
): Promise<RecordedResult> {
  const { failingAgain, endsTrouble, failingLocations, evidence, newCertificate, condition } = also;
  // On a full disk there is room for no evidence but that of a state change.
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
      const end = condition === undefined ? "stored" : await endInUnit(tx, result, condition);
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
