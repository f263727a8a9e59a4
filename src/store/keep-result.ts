import type { Result } from "../domain/result.ts";
import type { Store } from "./store.ts";

/** Stores a result that agrees with the check's state, and with it what it ends or resumes; the cheap way where that is nothing. */
export async function keepResult(
  store: Pick<Store, "append" | "write">,
  result: Result,
  also: { readonly resumesDown: boolean; readonly endsTrouble: boolean },
): Promise<void> {
  if (!also.resumesDown && !also.endsTrouble) {
    await store.append(result);
    return;
  }
  const { checkNo, startedAt, text, message } = result;
  await store.write(async (tx) => {
    if (also.resumesDown) await tx.states.resumeDown(checkNo, startedAt, { text, message });
    if (also.endsTrouble) await tx.states.endTrouble(checkNo);
    await tx.results.append(result);
  });
}
