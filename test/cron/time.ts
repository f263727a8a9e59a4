import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { sleep, systemClock } from "../../src/kit/clock.ts";

/** The clock of the program, and how to let time pass there. */
export interface ProgramTime {
  readonly now: () => number;
  /** Answers a time that has come there by then. */
  readonly advance: (ms: number) => Promise<number>;
  /** Other time that passed while lines ran. */
  readonly passedMs: () => number;
}

/** Settings with which the program goes by a clock that can be moved. */
export function movedClock(folder: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${new URL("preload.ts", import.meta.url).href}`,
    MOVED_CLOCK_SOCKET: join(folder, "clock"),
  };
}

export async function programTime(folder: string): Promise<ProgramTime & Disposable> {
  const socket = connect(join(folder, "clock"));
  const answers = createInterface(socket);
  let [aheadMs, movedMs] = [0, 0];
  const advance = async (ms: number): Promise<number> => {
    movedMs += Math.max(0, ms);
    const answered = once(answers, "line");
    // Rather too far ahead than too little: the answer may be read late, and nothing happens after it by this clock that came before it.
    const asked = systemClock.now();
    socket.write(`${Math.max(0, Math.round(ms))}\n`);
    const [now] = await answered;
    aheadMs = Number(now) - asked;
    return Number(now);
  };
  await advance(0);
  const now = (): number => systemClock.now() + aheadMs;
  const from = now();
  return {
    now,
    advance,
    passedMs: () => now() - from - movedMs,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Maximum delay before a line starts and its end is noticed, on a loaded machine. */
const NOTICED_WITHIN_MS = 30_000;

export const realTime: ProgramTime = {
  now: systemClock.now,
  passedMs: () => NOTICED_WITHIN_MS,
  async advance(ms) {
    await sleep(systemClock, ms);
    return systemClock.now();
  },
};
