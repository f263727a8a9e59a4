import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

import { sleep, type Clock } from "../../kit/clock.ts";
import type { Interruptions } from "../../kit/interruptions.ts";

interface Deps {
  readonly clock: Clock;
  readonly interruptions: Pick<Interruptions, "begin">;
  /** Throws if no connection could be accepted now. */
  readonly tryDescriptor?: () => void;
}

/** Keeps account of when this process could not accept connections: before it listened, and while it has no descriptor left. */
export interface ListenerMonitor {
  /** Connections are accepted from now on. */
  readonly listening: () => void;
  /** One could not be accepted. */
  readonly failed: () => void;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const LOOK_INTERVAL_MS = 250;
/** Descriptors that run out come and go: those intervals are one interruption. */
const WELL_AFTER_MS = 1000;

export function createListenerMonitor({
  clock,
  interruptions,
  tryDescriptor = openDescriptor,
}: Deps): ListenerMonitor {
  let end: (() => void) | undefined = interruptions.begin("start");
  let failedAt = -Infinity;

  const listening = (): void => {
    end?.();
    end = undefined;
  };
  const failed = (): void => {
    failedAt = clock.monotonic();
    end ??= interruptions.begin("listener");
  };

  return {
    listening,
    failed,
    async run(signal) {
      while (!signal.aborted) {
        // Without descriptors, a connection is closed before the program gets it.
        try {
          tryDescriptor();
          if (clock.monotonic() - failedAt >= WELL_AFTER_MS) listening();
        } catch {
          failed();
        }
        await sleep(clock, LOOK_INTERVAL_MS, signal);
      }
    },
  };
}

function openDescriptor(): void {
  closeSync(openSync(devNull, "r"));
}
