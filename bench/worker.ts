import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { systemClock } from "../src/kit/clock.ts";

/** Task of a measured process. */
export interface Task {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly atOnce: number;
  /** For that long one check follows another; without it, `atOnce` checks stay under way that never end. */
  readonly seconds?: number;
}

export interface Measured {
  readonly checks: number;
  /** User and system, of the whole process. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

export interface Worker extends Disposable {
  readonly run: (order: Task) => Promise<Measured>;
}

/** Starts a process that serves orders, one at a time. */
export function startWorker(file: string): Worker {
  const child = fork(join(import.meta.dirname, file));
  const died = once(child, "exit").then(([how]) => {
    throw new Error(`${file} ended with ${how}`);
  });
  died.catch(() => {});
  return {
    async run(order) {
      child.send(order);
      const [measured] = await Promise.race([once(child, "message"), died]);
      return measured;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** Makes one check after another; each rejects unless it passes. */
export type Maker = (order: Task) => () => Promise<void>;

const SETTLING_SECONDS = 2;

export function serveTasks(makerOf: Maker): void {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  process.on("message", (order: Task) => {
    void carryOut(order, makerOf(order)).then(({ checks, cpuMicros }) => {
      collectGarbage();
      process.send?.({ checks, cpuMicros, residentBytes: process.memoryUsage.rss() });
    });
  });
}

async function carryOut(
  { atOnce, seconds }: Task,
  check: () => Promise<void>,
): Promise<Pick<Measured, "checks" | "cpuMicros">> {
  const before = process.cpuUsage();
  let checks = 0;
  let over = false;
  const loop = async (): Promise<void> => {
    for (; !over; checks += 1) await check();
  };
  const loops = Promise.all(Array.from({ length: atOnce }, loop));
  await Promise.race([pause(seconds ?? SETTLING_SECONDS), loops]);
  over = true;
  if (seconds !== undefined) await loops;
  const { user, system } = process.cpuUsage(before);
  return { checks, cpuMicros: user + system };
}

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.setTimer(resolve, seconds * 1000);
  });
}
