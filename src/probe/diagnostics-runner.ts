import type { DiagnosticsRequest, LocationHandlers } from "../bus/bus.ts";
import { runDiagnostics } from "../checks/diagnostics.ts";
import type { Finding } from "../domain/diagnostics.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";

interface Deps {
  readonly egress: Egress;
  readonly clock: Clock;
  /** Ends what is under way, with the programs that it started. */
  readonly stopping: AbortSignal;
}

/** Each starts programs, and an outage of a network asks for many at once. */
const MAX_RUNNING = 4;

/** Runs the diagnostics of a location, a few at a time; the others wait in order. */
export function createDiagnosticsRunner(deps: Deps): LocationHandlers["runDiagnostics"] {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (request) => {
    if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await runInTime(request, deps);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

async function runInTime(
  request: DiagnosticsRequest,
  { egress, clock, stopping }: Deps,
): Promise<readonly Finding[]> {
  const { timeoutMs, accountId } = request;
  const controller = new AbortController();
  const deadline = clock.setTimer(() => controller.abort(), timeoutMs);
  const signal = AbortSignal.any([controller.signal, stopping]);
  try {
    return await runDiagnostics(request, { ...clock, signal, egress, timeoutMs, accountId });
  } finally {
    deadline.cancel();
  }
}
