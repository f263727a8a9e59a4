import type { Timer } from "../../kit/clock.ts";
import {
  startProbeThread,
  type ProbeThread,
  type ThreadDeps,
  type ThreadEnd,
} from "./probe-thread.ts";

interface Owner {
  readonly ready: () => void;
  readonly ended: (wasReady: boolean) => void;
}

/** Supplies threads. A spare thread starts when one may be about to end, because a start takes half a second of CPU; otherwise it would waste 35 MB. */
export interface ThreadSupply {
  readonly take: (owner: Owner) => ProbeThread;
  readonly release: (thread: ProbeThread) => Promise<void>;
  /** Ends diagnostics in progress. */
  readonly stop: () => void;
  readonly close: () => Promise<void>;
}

/** Delay before the next spare, because the replacement itself starts first. */
const NEXT_SPARE_AFTER_MS = 2000;
/** Time to keep the spare: the check that ended the thread runs again within its interval. */
const SPARE_KEPT_MS = 900_000;

const meanings: Readonly<Record<ThreadEnd, string>> = {
  hung: "it computed without an end",
  out_of_memory: "it ran out of memory",
  failed: "it failed",
};

export function createThreadSupply(deps: ThreadDeps): ThreadSupply {
  const { clock, log, meter } = deps;
  /** Every thread that has not ended. */
  const owners = new Map<ProbeThread, Owner>();
  let started = 0;
  let isClosed = false;
  let spare: ProbeThread | undefined;
  let nextSpare: Timer | undefined;
  let spareEnd: Timer | undefined;

  const start = (owner: Owner): ProbeThread => {
    started += 1;
    const name = String(started);
    const thread: ProbeThread = startProbeThread(name, deps, {
      ready: () => owners.get(thread)?.ready(),
      endangered: keepSpare,
      ended(reason, error, wasReady) {
        meter.count("probe.thread_ended", { reason });
        log.error("probe.thread_ended", { thread: name, reason, error, meaning: meanings[reason] });
        const last = owners.get(thread);
        owners.delete(thread);
        if (isClosed) return;
        last?.ended(wasReady);
        nextSpare ??= clock.setTimer(keepSpare, NEXT_SPARE_AFTER_MS);
      },
    });
    owners.set(thread, owner);
    return thread;
  };
  function keepSpare(): void {
    nextSpare?.cancel();
    nextSpare = undefined;
    if (isClosed) return;
    spareEnd?.cancel();
    spareEnd = clock.setTimer(endSpare, SPARE_KEPT_MS);
    spare ??= start({ ready() {}, ended: () => void (spare = undefined) });
  }
  const release = async (thread: ProbeThread): Promise<void> => {
    owners.delete(thread);
    await thread.close();
  };
  const endSpare = (): void => {
    const ending = spare;
    spare = undefined;
    if (ending !== undefined) void release(ending);
  };

  return {
    take(owner) {
      if (spare === undefined) return start(owner);
      const thread = spare;
      spare = undefined;
      owners.set(thread, owner);
      if (thread.isReady()) owner.ready();
      return thread;
    },
    release,
    stop() {
      for (const thread of owners.keys()) thread.stop();
    },
    async close() {
      isClosed = true;
      nextSpare?.cancel();
      spareEnd?.cancel();
      await Promise.all([...owners.keys()].map((thread) => thread.close()));
    },
  };
}
