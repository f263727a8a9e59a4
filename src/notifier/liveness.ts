import type { Clock } from "../kit/clock.ts";
import { codeOf } from "../kit/errors.ts";
import type { Store } from "../store/store.ts";

const NOTE_EVERY_MS = 60_000;

/** Says in the store, once a minute where it is called, that alerts are being sent: time in which they are not is of no alert's six hours. */
export function createLivenessNote({
  store,
  clock,
}: {
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
}): () => Promise<void> {
  let notedAt = -Infinity;
  return async () => {
    const now = clock.monotonic();
    if (now - notedAt < NOTE_EVERY_MS) return;
    notedAt = now;
    try {
      await store.write(({ alerts }) => alerts.noteAlive());
    } catch (error) {
      // What was committed before goes on to be sent while the store cannot commit.
      if (codeOf(error) !== "unavailable") throw error;
    }
  };
}
