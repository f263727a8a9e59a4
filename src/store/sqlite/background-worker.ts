import { Worker } from "node:worker_threads";

import type { Clock } from "../../kit/clock.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import type {
  HousekeepingData,
  HousekeepingTask,
  HousekeepingTaskDone,
} from "./housekeeping-worker.ts";
import type { PackedPiece, PackTask } from "./retention/pack-piece.ts";

/** Runs the tasks that wait for the disk in a thread of their own, one after the other; each ends, and so does a thread that failed. */
export type BackgroundWorker = ReturnType<typeof createBackgroundWorker>;

interface Deps {
  readonly path: string;
  /** Bytes of the complete reserve. */
  readonly reserve: number;
  /** The clock of waits that end by themselves, whatever time it is for the rest. */
  readonly clock: Pick<Clock, "setTimer">;
}

type TaskEnd = Exclude<HousekeepingTaskDone, { error: string }>;

/** Commits wait for the restart of the log alone. */
const MAX_DURATION_MS = {
  "write-back": 120_000,
  "restart-log": 10_000,
  "restore-reserve": 120_000,
  pack: 60_000,
} as const;

export function createBackgroundWorker({ path, reserve, clock }: Deps) {
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
      workerData: { path, reserve } satisfies HousekeepingData,
    });
    // An error between two tasks ends the thread, and the next task finds that out.
    started.on("error", () => discard(started));
    return started;
  };
  const carryOut = (used: Worker, task: HousekeepingTask): Promise<TaskEnd> =>
    new Promise((resolve, reject) => {
      const finished = (done: HousekeepingTaskDone): void => {
        trouble = undefined;
        end(done);
      };
      const failed = (error: unknown): void => {
        discard(used);
        end({ error: messageOf(error) });
      };
      const exited = (): void => failed("the thread ended");
      const timer = clock.setTimer(() => {
        trouble = `${task.kind} did not end within ${MAX_DURATION_MS[task.kind] / 1000} s`;
        failed(trouble);
      }, MAX_DURATION_MS[task.kind]);
      const end = (done: HousekeepingTaskDone): void => {
        timer.cancel();
        used.off("message", finished).off("error", failed).off("exit", exited);
        used.unref();
        if (done.error === undefined) resolve(done);
        else reject(new Unavailable(`database housekeeping failed: ${done.error}`));
      };
      used.on("message", finished).on("error", failed).on("exit", exited).ref();
      used.postMessage(task);
    });

  const run = async (task: HousekeepingTask): Promise<TaskEnd> => {
    if (ending !== undefined && trouble !== undefined)
      throw new Unavailable(`database housekeeping waits for a task to end: ${trouble}`);
    await ending;
    worker ??= start();
    return carryOut(worker, task);
  };

  return {
    /** Whether it was done: what has to wait is tried again later. */
    run: async (task: Exclude<HousekeepingTask, PackTask>): Promise<boolean> =>
      (await run(task)).isDone,
    async pack(task: PackTask): Promise<PackedPiece> {
      const { piece } = await run(task);
      if (piece === undefined) throw new Unavailable("database housekeeping packed nothing");
      return piece;
    },
    /** The task that did not end in its time; undefined once the next one has. */
    trouble: (): string | undefined => trouble,
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}
