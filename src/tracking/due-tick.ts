import type { ActiveCheck } from "../store/tables/checks.ts";
import type { TrackedCheck } from "./tracked-check.ts";

/** A tick of a check that is due now. */
export interface DueTick {
  readonly active: ActiveCheck;
  readonly tick: number;
  /** State known from earlier ticks, while the check's configuration stays the same. */
  readonly known: { tracked: TrackedCheck | undefined };
  /** Whether ticks of the check were recorded as missed since this was last called: it shows them until its next result. */
  readonly consumeMissedFlag: () => boolean;
  /** Releases the run's slot for that many milliseconds and waits for a new one. Returns early once the signal aborts. */
  readonly rest: (ms: number) => Promise<void>;
  /** Aborts when the check is changed, disabled or removed: the tick has no verdict then. */
  readonly signal: AbortSignal;
}
