import { Worker } from "node:worker_threads";

import type { Clock } from "../../kit/clock.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import type { HousekeepingTask, HousekeepingTaskDone } from "./housekeeping-worker.ts";

/** Runs the tasks that wait for the disk in a thread of their own, one after the other; each ends, and so does a thread that failed. */
export interface BackgroundWorker {
  readonly run: (task: HousekeepingTask) => Promise<void>;
  /** The task that did not end in its time; undefined once the next one has. */
  readonly trouble: () => string | undefined;
  readonly close: () => Promise<void>;
}

interface Deps {
  readonly path: string;
  /** The clock of waits that end by themselves, whatever time it is for the rest. */
  readonly clock: Pick<Clock, "setTimer">;
}

/** Commits wait for all but writing the log back. */
const LONGEST_MS = { "write-back": 120_000, "restart-log": 10_000, drop: 10_000 } as const;

export function createBackgroundWorker({ path, clock }: Deps): BackgroundWorker {
  let worker: Worker | undefined;
  let trouble: string | undefined;
  /** One that is to end and has not, for a thread that waits for the disk cannot be interrupted. */
  let ending: Promise<unknown> | undefined;

  const discard = (failed: Worker): void => {
    if (worker === failed) worker = undefined;
    const ended = failed.terminate().finally(() => {
      if (ending === ended) ending = undefined;
    });
    ending = ended;
  };
  const start = (): Worker => {
    const started = new Worker(new URL("housekeeping-worker.ts", import.meta.url), {
      workerData: path,
    });
    // An error between two tasks ends the thread, and the next task finds that out.
    started.on("error", () => discard(started));
    return started;
  };
  const carryOut = (used: Worker, task: HousekeepingTask): Promise<void> =>
    new Promise((resolve, reject) => {
      const finished = ({ error }: HousekeepingTaskDone): void => {
        trouble = undefined;
        end(error);
      };
      const failed = (error: unknown): void => {
        discard(used);
        end(messageOf(error));
      };
      const exited = (): void => failed("the thread ended");
      const timer = clock.setTimer(() => {
        trouble = `${task.kind} did not end within ${LONGEST_MS[task.kind] / 1000} s`;
        failed(trouble);
      }, LONGEST_MS[task.kind]);
      const end = (error: string | undefined): void => {
        timer.cancel();
        used.off("message", finished).off("error", failed).off("exit", exited);
        used.unref();
        if (error === undefined) resolve();
        else reject(new Unavailable(`database housekeeping failed: ${error}`));
      };
      used.on("message", finished).on("error", failed).on("exit", exited).ref();
      used.postMessage(task);
    });

  return {
    async run(task) {
      if (ending !== undefined && trouble !== undefined)
        throw new Unavailable(`database housekeeping waits for a task to end: ${trouble}`);
      await ending;
      worker ??= start();
      await carryOut(worker, task);
    },
    trouble: () => trouble,
    async close() {
      await worker?.terminate();
    },
  };
}
