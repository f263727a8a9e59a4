import { readlinkSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

import type { LocationHandlers } from "../../bus/bus.ts";
import { systemClock, type Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { lowerThreadPriority } from "../../kit/thread-priority.ts";
import {
  createEventLoopMonitor,
  type EventLoopMonitor,
} from "../../kit/time/event-loop-monitor.ts";
import {
  STEPS,
  THREAD_ID,
  type Numbered,
  type ProbeThreadData,
  type ThreadOptions,
  type ThreadReply,
  type ThreadRequest,
  type ToThread,
} from "./protocol.ts";
import { createReplies } from "./replies.ts";

/** Services for the work in a thread. */
export interface ThreadContext {
  readonly options: ThreadOptions;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Aborts when diagnostics are to end. */
  readonly stopping: AbortSignal;
}

/** Heartbeats, the API and verdicts go first where the processors are taken. */
const STEPS_BELOW_MAIN_THREAD = 5;

/** Carries out what the main thread asks for until that ends this thread; called once, in a thread that startProbeThread started. */
export function serveMainThread(
  handlersIn: (context: ThreadContext) => ReadonlyMap<string, LocationHandlers>,
): void {
  const { name, progress, ...options }: ProbeThreadData = workerData;
  const post = (message: string): void => parentPort?.postMessage(message);
  Atomics.store(progress, THREAD_ID, threadId());
  lowerThreadPriority(STEPS_BELOW_MAIN_THREAD);
  const stopping = new AbortController();
  const clock = countingClock(progress);
  const replies = createReplies(post, systemClock);
  const { log, meter } = replies;
  const stalled = (from: number, to: number): void =>
    meter.count("probe.thread_stalled_seconds", { thread: name }, (to - from) / 1000);
  const eventLoop = createEventLoopMonitor(clock, { stalled });
  const handlers = handlersIn({
    options,
    eventLoop,
    clock,
    log,
    meter,
    stopping: stopping.signal,
  });

  const answerTo = async (request: ThreadRequest): Promise<ThreadReply> => {
    const location = handlers.get(request.location);
    if (location === undefined) return { kind: "failed", message: "no such location here" };
    return request.kind === "job"
      ? { kind: "report", report: await location.runJob(request.job) }
      : { kind: "findings", findings: await location.runDiagnostics(request.request) };
  };
  const carryOut = async ({ no, value }: Numbered<ThreadRequest>): Promise<void> => {
    const reply = await answerTo(value).catch((error: unknown): ThreadReply => ({
      kind: "failed",
      message: messageOf(error),
    }));
    replies.add({ no, value: reply }, value.kind === "job" ? value.job.state : undefined);
  };

  parentPort?.on("message", (message: string) => {
    const { requests, stop }: ToThread = JSON.parse(message);
    if (stop === true) stopping.abort();
    for (const request of requests) void carryOut(request);
  });
  replies.send();
}

/** Counts each reading of the clock as progress, visible to the main thread. */
function countingClock(progress: ProbeThreadData["progress"]): Clock {
  return {
    ...systemClock,
    monotonic() {
      Atomics.add(progress, STEPS, 1);
      return systemClock.monotonic();
    },
  };
}

/** Returns the Linux thread ID; 0 if there is none. */
function threadId(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return 0;
  }
}
