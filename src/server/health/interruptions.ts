import type { Clock } from "../../kit/clock.ts";
import {
  createInterruptions,
  type InterruptionCause,
  type Interruptions,
} from "../../kit/interruptions.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";

const meanings: Readonly<Record<InterruptionCause, string>> = {
  start: "the process was starting",
  stalled: "the process stood still",
  store: "the store could not commit",
  listener: "no connection could be accepted",
  clock: "the clock was set",
};
/** Time after a suspension in which a process is not ready, because it has not read everything received meanwhile. */
const SETTLED_AFTER_MS = 5000;

/** Interruptions of this process; each is counted at its end, and logged unless it is the start, which has its own line. */
export function createProcessInterruptions({
  clock,
  log,
  meter,
}: {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
  readonly meter: Meter;
}): Interruptions {
  return createInterruptions(clock, ({ cause, from, to }) => {
    meter.count("interruption_seconds", { cause }, (to - from) / 1000);
    if (cause === "start") return;
    const meaning = `${meanings[cause]}: what was missed meanwhile is not judged`;
    log.warn("app.interruption_ended", { cause, lastedMs: Math.round(to - from), meaning }, cause);
  });
}

/** Returns the reasons why a process is not ready, for current interruptions and a suspension that just ended. */
export function unreadyReasons(
  interruptions: Pick<Interruptions, "open" | "lastEnded">,
  clock: Pick<Clock, "monotonic">,
): readonly string[] {
  const now = clock.monotonic();
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  const lasting = interruptions
    .open()
    .map(({ cause, from }) => `${meanings[cause]} for the last ${seconds(now - from)}`);
  const ended = interruptions.lastEnded();
  if (ended?.cause !== "stalled" || now - ended.to > SETTLED_AFTER_MS) return lasting;
  const { from, to } = ended;
  return [...lasting, `${meanings.stalled} for ${seconds(to - from)} until a moment ago`];
}
