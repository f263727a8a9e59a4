import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { Unavailable } from "../errors.ts";
import type { PasswordJob } from "./password-worker.ts";

/** Threads that hash passwords, each using 32 MiB and a third of a second of CPU. Separate from libuv's pool, which files and name lookups need too. */
export const PASSWORD_THREADS = Math.min(4, Math.max(2, availableParallelism()));

type Answer = string | boolean;

interface Thread {
  readonly worker: Worker;
  /** Jobs without an answer, in the order in which they were sent. */
  readonly pending: PromiseWithResolvers<Answer>[];
}

/** Threads of this process; one starts when first needed, and keeps no process alive. */
const threads = new Set<Thread>();

/** Returns the stored form of the password. */
export async function hashInThread(plain: string): Promise<string> {
  // guard: passwords as hashes = parameter
  return String(await run({ plain }));
}

/** Returns whether the stored form is that of the password. */
export async function verifyInThread(plain: string, stored: string): Promise<boolean> {
  return (await run({ plain, stored })) === true;
}

async function run(job: PasswordJob): Promise<Answer> {
  const thread = freeThread();
  const answer = Promise.withResolvers<Answer>();
  thread.pending.push(answer);
  thread.worker.ref();
  thread.worker.postMessage(job);
  return answer.promise;
}

function freeThread(): Thread {
  const [best] = [...threads].toSorted((one, other) => one.pending.length - other.pending.length);
  if (best !== undefined && (best.pending.length === 0 || threads.size >= PASSWORD_THREADS))
    return best;
  return startThread();
}

function startThread(): Thread {
  const worker = new Worker(new URL("password-worker.ts", import.meta.url));
  const thread: Thread = { worker, pending: [] };
  worker.on("message", (answer: Answer) => {
    thread.pending.shift()?.resolve(answer);
    if (thread.pending.length === 0) worker.unref();
  });
  const fail = (cause?: unknown): void => {
    threads.delete(thread);
    for (const { reject } of thread.pending.splice(0))
      reject(new Unavailable("a thread that hashes passwords ended", { cause }));
  };
  worker.on("error", fail).on("exit", () => fail());
  threads.add(thread);
  return thread;
}
