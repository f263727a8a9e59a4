import type { Timings } from "../../domain/run/timings.ts";

/** Phase times in whole milliseconds since the start of the run; the phases began `offsetMs` after it. */
export function timingsOf(phases: Timings, offsetMs: number): Timings {
  const since = (ms: number): number => Math.round(ms + offsetMs);
  const { dns, connect, tls, firstByte, total } = phases;
  return {
    ...(dns !== undefined && { dns: since(dns) }),
    ...(connect !== undefined && { connect: since(connect) }),
    ...(tls !== undefined && { tls: since(tls) }),
    ...(firstByte !== undefined && { firstByte: since(firstByte) }),
    total: since(total),
  };
}
