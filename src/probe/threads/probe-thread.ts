import { Worker } from "node:worker_threads";

import type { Clock, Timer } from "../../kit/clock.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { createSlab } from "../../kit/slab.ts";
import { createWatchdog, LOOK_INTERVAL_MS } from "./watchdog.ts";
import type {
  FromThread,
  Numbered,
  ProbeThreadData,
  ThreadOptions,
  ThreadReply,
  ThreadRequest,
  ToThread,
} from "./protocol.ts";

/** Reason why a thread ended that was not stopped. */
export type ThreadEnd = "hung" | "out_of_memory" | "failed";

export interface ProbeThread {
  /** Undefined if the thread ended before it replied. */
  readonly request: (request: ThreadRequest) => Promise<ThreadReply | undefined>;
  readonly isReady: () => boolean;
  /** Ends its diagnostics. */
  readonly stop: () => void;
  /** Ends the thread and everything in progress. */
  readonly close: () => Promise<void>;
}

export interface ThreadDeps {
  /** The file that the thread runs, which calls serveMainThread. */
  readonly module: URL;
  readonly options: ThreadOptions;
  readonly clock: Pick<Clock, "setTimer">;
  readonly log: Log;
  readonly meter: Meter;
}

interface Events {
  readonly ready: () => void;
  /** It may be about to end; called again and again. */
  readonly endangered: () => void;
  readonly ended: (end: ThreadEnd, message: string, wasReady: boolean) => void;
}

/** Room for some thousand runs that wait for their target, and for what one run keeps at most. */
const HEAP_MB = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** How long a thread may take until it is ready: a hundredth of that on a quiet machine. */
const READY_WITHIN_MS = 60_000;

/** Starts a thread. A hung one is ended; `ended` is called once, before pending requests resolve. */
export function startProbeThread(
  name: string,
  { module, options, clock, log, meter }: ThreadDeps,
  { ready, endangered, ended }: Events,
): ProbeThread {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const workerData: ProbeThreadData = { ...options, name, progress };
  const worker = new Worker(module, {
    workerData,
    resourceLimits: HEAP_MB,
    // Sockets of libc are closed by `fs.closeSync`, and Node would warn of each that it did not open.
    trackUnmanagedFds: false,
  });
  const pending = createPending();
  const exited = Promise.withResolvers<void>();
  let isReady = false;
  let isOver = false;
  let timer: Timer | undefined;

  const send = (message: ToThread): void => worker.postMessage(JSON.stringify(message));
  const outbox = createOutbox<Numbered<ThreadRequest>>((requests) => {
    if (!isOver) send({ requests });
  });
  const end = (how: ThreadEnd | "closed", message: string): void => {
    if (isOver) return;
    isOver = true;
    timer?.cancel();
    if (how !== "closed") ended(how, message, isReady);
    pending.end();
  };
  const terminate = (how: ThreadEnd | "closed", message: string): void => {
    end(how, message);
    void worker.terminate();
  };
  const watch = (): void => {
    const { look } = createWatchdog(progress);
    timer = clock.setTimer(function looking() {
      const seen = look();
      if (seen === "hung") return terminate("hung", "it computed without an end");
      if (seen === "silent") endangered();
      timer = clock.setTimer(looking, LOOK_INTERVAL_MS);
    }, LOOK_INTERVAL_MS);
  };
  timer = clock.setTimer(() => terminate("failed", "it did not become ready"), READY_WITHIN_MS);

  worker.on("message", (text: string) => {
    if (isOver) return;
    if (!isReady) {
      isReady = true;
      timer?.cancel();
      watch();
      ready();
    }
    const { replies, ...signs }: FromThread = JSON.parse(text);
    passOn(signs, log, meter);
    for (const reply of replies) pending.resolve(reply);
  });
  worker.on("error", (error) => end(endBy(error), messageOf(error)));
  worker.on("exit", (code) => {
    end("failed", `exit code ${code}`);
    exited.resolve();
  });

  return {
    request(value) {
      if (isOver) return Promise.resolve(undefined);
      const { no, reply } = pending.add();
      outbox.add({ no, value });
      return reply;
    },
    isReady: () => isReady && !isOver,
    stop() {
      if (!isOver) send({ requests: [], stop: true });
    },
    async close() {
      terminate("closed", "");
      await exited.promise;
    },
  };
}

function endBy(error: unknown): ThreadEnd {
  return codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY" ? "out_of_memory" : "failed";
}

interface Pending {
  readonly add: () => Pick<Numbered<unknown>, "no"> & { reply: Promise<ThreadReply | undefined> };
  readonly resolve: (reply: Numbered<ThreadReply>) => void;
  readonly end: () => void;
}

/** The requests that wait for their reply. */
function createPending(): Pending {
  const waiting = createSlab<(reply: ThreadReply | undefined) => void>();
  return {
    add() {
      const { promise, resolve } = Promise.withResolvers<ThreadReply | undefined>();
      return { no: waiting.add(resolve), reply: promise };
    },
    resolve({ no, value }) {
      waiting.take(no)?.(value);
    },
    end() {
      for (const resolve of waiting.items()) resolve(undefined);
    },
  };
}

function passOn(
  { counts, observations, logs }: Omit<FromThread, "replies">,
  lines: Log,
  metrics: Meter,
): void {
  for (const [event, labels, by] of counts) metrics.count(event, labels, by);
  for (const [event, ms, labels] of observations) metrics.observe(event, ms, labels);
  for (const { level, event, fields, condition } of logs) {
    if (level === "info") lines.info(event, fields);
    else lines[level](event, fields, condition);
  }
}

/** Collects what goes to another thread, and sends it once in a turn of the event loop. */
interface Outbox<Item> {
  readonly add: (item: Item) => void;
}

function createOutbox<Item>(send: (items: readonly Item[]) => void): Outbox<Item> {
  let items: Item[] = [];
  const flush = (): void => {
    const sent = items;
    items = [];
    send(sent);
  };
  return {
    add(item) {
      if (items.push(item) === 1) setImmediate(flush);
    },
  };
}
