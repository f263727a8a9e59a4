import type { ActiveCheck } from "../store/checks.ts";
import type { TrackedCheck } from "./tracked-check.ts";

/** A tick of a check that is due now. */
export interface DueTick {
  readonly active: ActiveCheck;
  readonly tick: number;
  /** What is known of the check from its ticks before, for as long as its configuration stays the same. */
  readonly known: { tracked: TrackedCheck | undefined };
  /** Whether ticks of the check were recorded as missed since this was last called: it shows them until its next result. */
  readonly takeMissed: () => boolean;
  /** Aborts when the check is changed, disabled or removed: the tick has no verdict then. */
  readonly signal: AbortSignal;
}
