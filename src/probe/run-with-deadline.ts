import type { PreparedCheck, RunContext } from "../checks/check-type.ts";
import { failed } from "../domain/run/outcome.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";

/** How long after its timeout a check type may take to say in which phase the time ran out, and at which address. */
const GRACE_MS = 250;

/** One object for all runs: an error with its stack for each would cost a twentieth of a whole run. */
const DEADLINE = new Error("the time of the run is over");

/** Runs a prepared check until its timeout at most; one that ignores its signal is not waited for. */
export function runWithDeadline(
  prepared: PreparedCheck,
  { clock, egress, timeoutMs }: { clock: Clock; egress: Egress; timeoutMs: number },
): Promise<Outcome> {
  const controller = new AbortController();
  const context: RunContext = { ...clock, signal: controller.signal, egress, timeoutMs };
  return new Promise((resolve, reject) => {
    const abandon = (): void =>
      resolve(failed("timeout", "Timeout", `Timeout after ${timeoutMs / 1000} s`));
    let deadline = clock.setTimer(() => {
      controller.abort(DEADLINE);
      deadline = clock.setTimer(abandon, GRACE_MS);
    }, timeoutMs);
    void Promise.try(prepared.run, context).then(
      (outcome) => {
        deadline.cancel();
        resolve(outcome);
      },
      (error: unknown) => {
        deadline.cancel();
        reject(error);
      },
    );
  });
}
