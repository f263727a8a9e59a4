import { fakeClock, type FakeClock } from "./fake-clock.ts";

/** Clock whose program is suspended each time `block` is called: timers that expire meanwhile fire at the end. */
export function blockableClock(): FakeClock & { readonly block: (ms: number) => Promise<void> } {
  const clock = fakeClock();
  let isBlocked = false;
  let held: (() => void)[] = [];
  return {
    ...clock,
    setTimer(callback, delayMs) {
      let isCancelled = false;
      const fire = (): void => {
        if (!isCancelled) callback();
      };
      const timer = clock.setTimer(() => (isBlocked ? held.push(fire) : fire()), delayMs);
      return {
        cancel() {
          isCancelled = true;
          timer.cancel();
        },
      };
    },
    async block(ms) {
      isBlocked = true;
      await clock.advance(ms);
      isBlocked = false;
      const due = held;
      held = [];
      for (const fire of due) fire();
      await clock.advance(0);
    },
  };
}
