import type { Result } from "../../domain/run/result.ts";
import { recordObservation } from "./record-observation.ts";
import type { Observation } from "./record-observation.ts";
import { resumeOutage } from "./resume-outage.ts";
import type { FailingAgain, ResumedOutage } from "./resume-outage.ts";
import type { Store } from "../store.ts";

interface Deps {
  readonly store: Pick<Store, "append" | "write">;
  readonly ids: { readonly alert: () => string };
}

const notResumed: ResumedOutage = { isResumed: false, recipientsTruncated: false };

/** Stores a result that agrees with the check's state, and with it what it ends or resumes; the cheap way where that is nothing. */
export async function recordResult(
  { store, ids }: Deps,
  result: Result,
  also: Observation & {
    /** Where the check may have been off since it went down. */
    readonly failingAgain: Omit<FailingAgain, "result"> | undefined;
    readonly endsTrouble: boolean;
  },
): Promise<ResumedOutage> {
  const { failingAgain, endsTrouble, evidence, newCertificate } = also;
  const hasMore = evidence !== undefined || newCertificate !== undefined;
  if (failingAgain === undefined && !hasMore) {
    await store.append(result, { closesGap: endsTrouble });
    return notResumed;
  }
  const { checkNo } = result;
  return store.write(
    async (tx) => {
      const resumed = failingAgain && (await resumeOutage(tx, { ...failingAgain, result }, ids));
      if (endsTrouble) await tx.states.closeGaps([checkNo]);
      await recordObservation(tx, result, { ...also, flipped: false });
      await tx.results.append(result);
      return resumed ?? notResumed;
    },
    { checks: [checkNo] },
  );
}
