import type { Result } from "../../domain/run/result.ts";
import { recordObservation } from "./record-observation.ts";
import type { Observation } from "./record-observation.ts";
import type { Store } from "../store.ts";

/** Stores a result that agrees with the check's state, and with it what it ends or resumes; the cheap way where that is nothing. */
export async function recordResult(
  store: Pick<Store, "append" | "write">,
  result: Result,
  also: Observation & { readonly resumesDown: boolean; readonly endsTrouble: boolean },
): Promise<void> {
  const { resumesDown, endsTrouble, evidence, newCertificate } = also;
  if (!resumesDown && !endsTrouble && evidence === undefined && newCertificate === undefined) {
    await store.append(result);
    return;
  }
  const { checkNo, startedAt, text, message } = result;
  await store.write(
    async (tx) => {
      if (resumesDown) await tx.states.reopenDownSpan(checkNo, startedAt, { text, message });
      if (endsTrouble) await tx.states.closeGap(checkNo);
      await recordObservation(tx, result, { ...also, flipped: false });
      await tx.results.append(result);
    },
    { checks: [checkNo] },
  );
}
