import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

import type { Clock } from "../../../kit/clock.ts";
import { messageOf, Unavailable } from "../../../kit/errors.ts";
import type { Log } from "../../../kit/log.ts";
import {
  ANSWERS,
  COMMITS,
  REQUESTS,
  type ThreadAnswer,
  type Request,
  type StatementResult,
  type DatabaseThreadData,
} from "./protocol.ts";

/** The connection of one thread, to be called once at a time. */
export interface ThreadConnection {
  /** Rejects with a DatabaseError where the database refused it, and with Unavailable where the thread ended. */
  readonly call: (request: Request) => Promise<StatementResult>;
  /** Number of commits visible to readers, durable or not. */
  readonly commits: () => number;
}

/** The thread that has the only connection that writes, so that a disk that hangs holds nothing else up. */
export interface DatabaseThread {
  /** Waits for the next thread where one has just ended. */
  readonly connect: () => Promise<ThreadConnection>;
  /** Number of answered requests. */
  readonly answered: () => number;
  readonly close: () => Promise<void>;
}

/** Error of the database, as node:sqlite would have thrown it here. */
export class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly errcode: number | undefined;
  readonly isTransaction: boolean;
  readonly isCommitted: boolean;

  constructor({ error }: Extract<ThreadAnswer, { kind: "failed" }>) {
    super(error.message);
    this.code = error.code;
    this.errcode = error.errcode;
    this.isTransaction = error.isTransaction;
    this.isCommitted = error.isCommitted;
  }
}

interface Deps {
  readonly path: string;
  /** Bytes of the complete reserve. */
  readonly reserve: number;
  readonly clock: Pick<Clock, "setTimer">;
  readonly log: Log;
}

/** How long the main thread waits for an answer; one that takes longer comes as a message. */
const WAIT_MS = 2;
/** How often it looks before it waits, some 10 µs: most answers are there by then. */
const LOOKS = 100;
const RESTART_AFTER_MS = 500;

export function createDatabaseThread({ path, reserve, clock, log }: Deps): DatabaseThread {
  let waiting: ((connection: ThreadConnection) => void)[] = [];
  let running: RunningThread | undefined;
  let isReady = false;
  let isClosed = false;
  let answered = 0;

  const start = (): void => {
    const wasReady = (): boolean => isReady;
    running = startThread(
      { path, reserve },
      {
        ready() {
          isReady = true;
          const waited = waiting;
          waiting = [];
          for (const resolve of waited) if (running !== undefined) resolve(running);
        },
        answered: () => void (answered += 1),
        ended(error) {
          const restartAfterMs = wasReady() ? 0 : RESTART_AFTER_MS;
          isReady = false;
          running = undefined;
          if (isClosed) return;
          log.error("store.thread_ended", { error });
          clock.setTimer(() => {
            if (!isClosed) start();
          }, restartAfterMs);
        },
      },
    );
  };
  start();

  return {
    connect() {
      if (running !== undefined && isReady) return Promise.resolve(running);
      running?.ref();
      return new Promise((resolve) => void waiting.push(resolve));
    },
    answered: () => answered,
    async close() {
      isClosed = true;
      await running?.close();
    },
  };
}

interface RunningThread extends ThreadConnection {
  /** Keeps the process from ending until the thread is ready. */
  readonly ref: () => void;
  readonly close: () => Promise<void>;
}

interface Events {
  readonly ready: () => void;
  readonly answered: () => void;
  readonly ended: (error: string) => void;
}

interface Caller {
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

function startThread(
  place: Pick<DatabaseThreadData, "path" | "reserve">,
  events: Events,
): RunningThread {
  const counters = new Int32Array(new SharedArrayBuffer(12));
  const { port1: port, port2 } = new MessageChannel();
  const workerData: DatabaseThreadData = { ...place, port: port2, counters };
  const worker = new Worker(new URL("database-worker.ts", import.meta.url), {
    workerData,
    transferList: [port2],
  });
  let caller: Caller | undefined;
  let end: string | undefined;
  let hasEnded = false;
  const exited = Promise.withResolvers<void>();

  port.on("message", (answer: ThreadAnswer) => {
    port.unref();
    worker.unref();
    if (answer.kind === "ready") {
      events.ready();
      return;
    }
    events.answered();
    const called = caller;
    caller = undefined;
    if (answer.kind === "done") called?.resolve(answer.result);
    else called?.reject(new DatabaseError(answer));
  });
  port.unref();
  worker.unref();
  worker.on("error", (error) => (end = messageOf(error)));
  worker.on("exit", (code) => {
    hasEnded = true;
    port.close();
    const error = end ?? `exit code ${code}`;
    // The next thread starts first, because a rejected caller may need it immediately.
    events.ended(error);
    caller?.reject(endedWith(error));
    exited.resolve();
  });

  return {
    ref: () => worker.ref(),
    commits: () => Atomics.load(counters, COMMITS),
    call(request) {
      if (hasEnded) return Promise.reject(endedWith(end ?? ""));
      const seen = Atomics.load(counters, ANSWERS);
      port.postMessage(request);
      Atomics.add(counters, REQUESTS, 1);
      Atomics.notify(counters, REQUESTS);
      // The end of a transaction waits for the disk.
      const answer = request.kind === "commit" ? undefined : answerWithin(seen, { counters, port });
      if (answer !== undefined) {
        events.answered();
        return answer.kind === "failed"
          ? Promise.reject(new DatabaseError(answer))
          : Promise.resolve(answer.result);
      }
      port.ref();
      worker.ref();
      return new Promise((resolve, reject) => {
        caller = { resolve, reject };
      });
    },
    async close() {
      worker.ref();
      port.postMessage({ kind: "close" } satisfies Request);
      Atomics.add(counters, REQUESTS, 1);
      Atomics.notify(counters, REQUESTS);
      await exited.promise;
    },
  };
}

function endedWith(error: string): Unavailable {
  return new Unavailable(`the database thread ended: ${error}`);
}

/** Waits briefly for the response, which costs a third of receiving a message through the event loop. */
function answerWithin(
  seen: number,
  { counters, port }: Pick<DatabaseThreadData, "counters" | "port">,
): Exclude<ThreadAnswer, { kind: "ready" }> | undefined {
  let looks = LOOKS;
  while (looks > 0 && Atomics.load(counters, ANSWERS) === seen) looks -= 1;
  if (Atomics.wait(counters, ANSWERS, seen, WAIT_MS) === "timed-out") return undefined;
  const received: { readonly message: Exclude<ThreadAnswer, { kind: "ready" }> } | undefined =
    receiveMessageOnPort(port);
  return received?.message;
}
