import { Worker } from "node:worker_threads";

import { Unavailable } from "../../kit/errors.ts";
import type { HousekeepingTask, HousekeepingTaskDone } from "./housekeeping-worker.ts";

/** Runs the tasks that wait for the disk in a thread of their own, one after the other. */
export interface BackgroundWorker {
  readonly run: (task: HousekeepingTask) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function createBackgroundWorker(path: string): BackgroundWorker {
  let worker: Worker | undefined;
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        worker ??= new Worker(new URL("housekeeping-worker.ts", import.meta.url), {
          workerData: path,
        });
        const end = (error: Error | undefined): void => {
          worker?.removeListener("message", finished).removeListener("error", end);
          worker?.unref();
          if (error === undefined) resolve();
          else
            reject(
              new Unavailable(`database housekeeping failed: ${error.message}`, { cause: error }),
            );
        };
        const finished = ({ error }: HousekeepingTaskDone): void =>
          end(error === undefined ? undefined : new Error(error));
        worker.on("message", finished).on("error", end);
        worker.ref();
        worker.postMessage(task);
      }),
    async close() {
      await worker?.terminate();
    },
  };
}
