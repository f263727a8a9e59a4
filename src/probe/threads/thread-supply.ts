import type { Timer } from "../../kit/clock.ts";
import { startProbeThread } from "./probe-thread.ts";
import type { ProbeThread, ThreadDeps, ThreadEnd } from "./probe-thread.ts";

interface Owner {
  readonly ready: () => void;
  readonly ended: (wasReady: boolean) => void;
}

/** Threads, and a spare one that is ready when another ends: a start takes half a second of CPU. */
export interface ThreadSupply {
  readonly take: (owner: Owner) => ProbeThread;
  readonly release: (thread: ProbeThread) => Promise<void>;
  /** Ends diagnostics that are under way. */
  readonly stop: () => void;
  readonly close: () => Promise<void>;
}

/** The first spare thread starts when the process has done its own start. */
const SPARE_AFTER_MS = 2000;

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
  let spareTimer: Timer | undefined;

  const start = (owner: Owner): ProbeThread => {
    started += 1;
    const name = String(started);
    const thread: ProbeThread = startProbeThread(name, deps, {
      ready() {
        owners.get(thread)?.ready();
        replaceSpareLater();
      },
      ended(reason, error, wasReady) {
        meter.count("probe.thread_ended", { reason });
        log.error("probe.thread_ended", { thread: name, reason, error, meaning: meanings[reason] });
        const last = owners.get(thread);
        owners.delete(thread);
        if (!isClosed) last?.ended(wasReady);
      },
    });
    owners.set(thread, owner);
    return thread;
  };
  const startSpare = (): void => {
    spareTimer = undefined;
    if (isClosed || spare !== undefined) return;
    const ended = (): void => {
      spare = undefined;
      replaceSpareLater();
    };
    spare = start({ ready() {}, ended });
  };
  function replaceSpareLater(): void {
    if (spare === undefined) spareTimer ??= clock.setTimer(startSpare, SPARE_AFTER_MS);
  }

  return {
    take(owner) {
      if (spare === undefined) return start(owner);
      const thread = spare;
      spare = undefined;
      owners.set(thread, owner);
      if (thread.isReady()) owner.ready();
      replaceSpareLater();
      return thread;
    },
    async release(thread) {
      owners.delete(thread);
      await thread.close();
    },
    stop() {
      for (const thread of owners.keys()) thread.stop();
    },
    async close() {
      isClosed = true;
      spareTimer?.cancel();
      await Promise.all([...owners.keys()].map((thread) => thread.close()));
    },
  };
}
