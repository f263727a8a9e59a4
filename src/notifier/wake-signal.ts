import type { Clock } from "../kit/clock.ts";

/** Lets one sleeper be woken early. A ring while nobody sleeps is kept for the next sleep. */
export interface WakeSignal {
  readonly wake: () => void;
  readonly sleep: (delayMs: number) => Promise<void>;
}

export function createWakeSignal(clock: Clock): WakeSignal {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    wake() {
      rung = true;
      wake?.();
    },
    async sleep(delayMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = clock.setTimer(resolve, delayMs);
          wake = () => {
            timer.cancel();
            resolve();
          };
        });
      }
      wake = undefined;
      rung = false;
    },
  };
}
