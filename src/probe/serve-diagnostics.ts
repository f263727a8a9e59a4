import type { Bus, DiagnosticsRequest } from "../bus/bus.ts";
import { runDiagnostics } from "../checks/diagnostics.ts";
import type { Finding } from "../domain/diagnostics.ts";
import type { Location } from "../domain/location.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";

/** Each starts programs, and when a network breaks everything asks for one at once. */
const MOST_AT_ONCE = 4;

/** Serves the orders of a location to look why a target fails, a few at a time; the others wait for their turn. */
export function serveDiagnostics({
  bus,
  location,
  egress,
  clock,
  stopping,
}: {
  readonly bus: Bus;
  readonly location: Location;
  readonly egress: Egress;
  readonly clock: Clock;
  /** Ends what is under way, the programs that it started included. */
  readonly stopping: AbortSignal;
}): void {
  const waiting: (() => void)[] = [];
  let atWork = 0;

  const carryOut = async (order: DiagnosticsRequest): Promise<readonly Finding[]> => {
    const controller = new AbortController();
    const deadline = clock.setTimer(() => controller.abort(), order.timeoutMs);
    const signal = AbortSignal.any([controller.signal, stopping]);
    try {
      return await runDiagnostics(order, { ...clock, signal, egress, timeoutMs: order.timeoutMs });
    } finally {
      deadline.cancel();
    }
  };

  bus.diagnostics.serve(location, async (order) => {
    if (atWork >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else atWork += 1;
    try {
      return await carryOut(order);
    } finally {
      const next = waiting.shift();
      if (next === undefined) atWork -= 1;
      else next();
    }
  });
}
