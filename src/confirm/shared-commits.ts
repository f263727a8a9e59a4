import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import type { Store } from "../store/store.ts";

/**
 * Lets results wait, so that those of that time share one commit: one of its own costs as much CPU as the rest of a run, and a sync of the disk.
 * For results that nobody waits for but their run.
 */
export function shareCommits(
  append: Store["append"],
  clock: Clock,
  waitMs: number,
): Store["append"] {
  let turn: Promise<void> | undefined;
  return async (result, also) => {
    turn ??= sleep(clock, waitMs).then(() => void (turn = undefined));
    await turn;
    return append(result, also);
  };
}
