import type { Clock } from "./clock.ts";

/** Ends one wait early. A wake while nothing waits counts for the next wait. */
export interface WakeSignal {
  readonly wake: () => void;
  readonly sleep: (delayMs: number) => Promise<void>;
}

export function createWakeSignal(clock: Clock): WakeSignal {
  let isWoken = false;
  let endSleep: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      endSleep?.();
    },
    async sleep(delayMs) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = clock.setTimer(resolve, delayMs);
          endSleep = () => {
            timer.cancel();
            resolve();
          };
        });
      }
      endSleep = undefined;
      isWoken = false;
    },
  };
}
