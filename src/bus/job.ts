import type { RunningCheck } from "../domain/check.ts";
import type { State } from "../domain/run/verdict.ts";
import type { Job } from "./bus.ts";

/** Half of what the NATS server takes as one message. */
export const MAX_JOB_BYTES = 256 * 1024;

/** The request for one attempt at a tick, of a check in a state. */
export function jobOf(
  { check, primaryId }: { readonly check: RunningCheck; readonly primaryId: string },
  tick: number,
  { attempt, state }: { readonly attempt: number; readonly state: State | undefined },
): Job {
  return {
    id: `${check.id}.${check.runRevision}.${tick}.${attempt}`,
    checkId: check.id,
    accountId: primaryId,
    type: check.type,
    parameters: check.parameters,
    timeoutMs: check.timeoutSeconds * 1000,
    ...(attempt === 1 && state !== undefined && { state }),
  };
}
