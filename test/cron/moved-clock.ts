import { createServer } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";

import { systemClock as real, type Clock } from "../../src/kit/clock.ts";
import { drainEventLoop } from "../time/fake-clock.ts";

interface Waiting {
  readonly at: number;
  readonly callback: () => void;
}

const HOUR_MS = 3_600_000;
/** Before the hour begins, the checks are made. */
const BEFORE_MS = 60_000;
const LOOK_INTERVAL_MS = 5;
/** Interval at which real I/O can proceed while time is advanced. */
const PAUSE_INTERVAL_MS = 1000;

const waiting = new Set<Waiting>();
const wallAhead = Math.ceil(real.now() / HOUR_MS) * HOUR_MS - BEFORE_MS - real.now();
let movedMs = 0;

const monotonic = (): number => real.monotonic() + movedMs;

/** The real clock, which can be moved on: all that is due on the way happens, in order and at its time. */
export const systemClock: Clock = {
  now: () => Math.round(real.now() + wallAhead + movedMs),
  monotonic,
  setTimer(callback, delayMs) {
    const timer = { at: monotonic() + Math.max(delayMs, 0), callback };
    waiting.add(timer);
    return { cancel: () => void waiting.delete(timer) };
  },
};

function nextUntil(until: number): Waiting | undefined {
  let next: Waiting | undefined;
  for (const timer of waiting)
    if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
  return next;
}

function fire(timer: Waiting): void {
  waiting.delete(timer);
  timer.callback();
}

async function advance(ms: number): Promise<void> {
  const until = monotonic() + ms;
  let pauseAt = monotonic();
  for (let timer = nextUntil(until); timer !== undefined; timer = nextUntil(until)) {
    movedMs += Math.max(0, timer.at - monotonic());
    fire(timer);
    await drainEventLoop(1);
    if (monotonic() < pauseAt) continue;
    pauseAt = monotonic() + PAUSE_INTERVAL_MS;
    await new Promise<void>((resolve) => void real.setTimer(resolve, 1));
  }
  movedMs += Math.max(0, until - monotonic());
}

let isMoving = false;

/** Meanwhile it goes as fast as the real one. */
function look(): void {
  if (!isMoving)
    for (let timer = nextUntil(monotonic()); timer !== undefined; timer = nextUntil(monotonic()))
      fire(timer);
  real.setTimer(look, LOOK_INTERVAL_MS);
}
look();

/** Each line is how many ms it is moved on; the answer is the time then. */
createServer((socket) => {
  socket.on("error", () => {});
  createInterface(socket).on("line", (line) => {
    isMoving = true;
    void advance(Number(line)).then(() => {
      isMoving = false;
      socket.write(`${systemClock.now()}\n`);
    });
  });
})
  .listen(process.env.MOVED_CLOCK_SOCKET)
  .unref();
