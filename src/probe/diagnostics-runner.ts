import {
  DIAGNOSTICS_REPLY_MS,
  type DiagnosticsRequest,
  type LocationHandlers,
} from "../bus/bus.ts";
import { runDiagnostics } from "../checks/diagnostics.ts";
import type { DiagnosticsFinding } from "../domain/diagnostics.ts";
import { createDeadline } from "../kit/abort.ts";
import type { Clock } from "../kit/clock.ts";
import { createFairSemaphore } from "../kit/concurrency/fair-semaphore.ts";
import type { Egress } from "../kit/net/egress.ts";

interface Deps {
  readonly egress: Egress;
  readonly clock: Clock;
  /** Ends everything in progress, including started programs. */
  readonly stopping: AbortSignal;
}

/** Each starts programs, and an outage of a network asks for many at once. An account alone has half. */
const LIMITS = {
  slots: 8,
  maxWaiting: 1000,
  maxWaitMs: DIAGNOSTICS_REPLY_MS,
  refusal: "too many diagnostics are running at this location",
};

/** Runs the diagnostics of a location, a few at a time; the others wait, and accounts take turns. */
export function createDiagnosticsRunner(deps: Deps): LocationHandlers["runDiagnostics"] {
  const semaphore = createFairSemaphore(deps.clock, LIMITS);
  return (request) => semaphore.run(request.accountId, () => runInTime(request, deps));
}

async function runInTime(
  request: DiagnosticsRequest,
  { egress, clock, stopping }: Deps,
): Promise<readonly DiagnosticsFinding[]> {
  const { timeoutMs, accountId } = request;
  using deadline = createDeadline(clock, timeoutMs);
  const signal = AbortSignal.any([deadline.signal, stopping]);
  return await runDiagnostics(request, { ...clock, signal, egress, timeoutMs, accountId });
}
