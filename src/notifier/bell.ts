import type { Clock } from "../kit/clock.ts";

/** Lets one sleeper be woken early. A ring while nobody sleeps is kept for the next sleep. */
export interface Bell {
  readonly ring: () => void;
  readonly sleep: (delayMs: number) => Promise<void>;
}

export function createBell(clock: Clock): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
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
