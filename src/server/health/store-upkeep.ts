import { sleep, type Clock } from "../../kit/clock.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const HOUSEKEEPING_INTERVAL_MS = 10_000;
/** Together with the seconds after which a commit counts as hung, this is less than the 10 seconds in which readiness must show it. */
const PROBE_INTERVAL_MS = 4000;
const LOOK_INTERVAL_MS = 500;
/** How long a stop waits for a disk that does not answer. */
const MAX_STOP_MS = 8000;

/** Resolves with a message when the store has lost its files; never resolves if stopped before. */
export async function waitForMissingFiles(
  store: Pick<Store, "filesGone">,
  { clock, signal }: Pick<Deps, "clock" | "signal">,
): Promise<string> {
  for (;;) {
    await sleep(clock, LOOK_INTERVAL_MS, signal);
    if (signal.aborted) return new Promise(() => {});
    const gone = store.filesGone?.();
    if (gone !== undefined) return gone;
  }
}

/** Keeps the store small. */
export function runStoreHousekeeping(store: Store, deps: Deps): Promise<void> {
  return repeat(HOUSEKEEPING_INTERVAL_MS, deps, () =>
    store
      .runHousekeeping()
      .catch((error: unknown) =>
        deps.log.error("store.housekeeping_failed", { error: messageOf(error) }),
      ),
  );
}

/** Detects that the store cannot commit before anything needs it to. */
export function probeWrites(store: Store, deps: Deps): Promise<void> {
  return repeat(PROBE_INTERVAL_MS, deps, () =>
    store
      .probeWrite()
      .catch((error: unknown) =>
        deps.log.error("store.cannot_commit", { error: messageOf(error) }),
      ),
  );
}

async function repeat(
  intervalMs: number,
  { clock, signal }: Deps,
  task: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await sleep(clock, intervalMs, signal);
    if (signal.aborted) return;
    await task();
  }
}

/** Waits for a stop to end; rejects with Unavailable where the store hangs meanwhile, for then it may never end. */
export async function waitUnlessStoreHangs(
  ending: Promise<void>,
  store: Pick<Store, "oldestWaitMs" | "writeError">,
  clock: Clock,
): Promise<void> {
  const ended = new AbortController();
  const watching = async (): Promise<void> => {
    const givesUpAt = clock.monotonic() + MAX_STOP_MS;
    while (!ended.signal.aborted) {
      await sleep(clock, LOOK_INTERVAL_MS, ended.signal);
      if (clock.monotonic() >= givesUpAt && store.oldestWaitMs() >= MAX_STOP_MS)
        throw new Unavailable(store.writeError() ?? "the store does not answer");
    }
  };
  try {
    await Promise.race([ending, watching()]);
  } finally {
    ended.abort();
  }
}
