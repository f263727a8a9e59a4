import { replyWithinMs, type Job, type LocationHandlers, type Report } from "../bus/bus.ts";
import type { Location } from "../domain/location.ts";
import type { Clock } from "../kit/clock.ts";
import { Unavailable } from "../kit/errors.ts";
import { hash32 } from "../kit/hash.ts";
import { createCrashRecord } from "./threads/crash-record.ts";
import { createIsolation } from "./threads/isolation.ts";
import type { ThreadDeps } from "./threads/probe-thread.ts";
import type { ThreadReply } from "./threads/protocol.ts";
import { createThreadPool, type ThreadPool } from "./threads/thread-pool.ts";
import { createThreadSupply, type ThreadSupply } from "./threads/thread-supply.ts";

interface Deps extends ThreadDeps {
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
  /** Number of threads, without the spare one that is added during problems. */
  readonly threads: number;
}

/** Runs what locations do in threads of this process, so that no target and no pattern holds up anything else. */
export interface ProbeThreads
  extends Pick<ThreadPool, "ready" | "trouble">, Pick<ThreadSupply, "stop" | "close"> {
  readonly handlersOf: (location: Location) => LocationHandlers;
}

/** Worker script of the threads. */
export const probeWorker = new URL("threads/probe-worker.ts", import.meta.url);

export function createProbeThreads(deps: Deps): ProbeThreads {
  const { clock, meter } = deps;
  const supply = createThreadSupply(deps);
  const pool = createThreadPool(deps.threads, supply, clock);
  const crashes = createCrashRecord(clock);
  const isolation = createIsolation(supply, clock);

  const error = (location: string, message: string): Report => {
    meter.count("probe.job_error", { location, error: "internal_error" });
    return { error: "internal_error", message };
  };
  /** All jobs of a check go to one thread, so that a job that ends its thread cannot end the others. */
  const runJob = async (location: string, job: Job): Promise<Report> => {
    const refusal = crashes.refusal(job);
    if (refusal !== undefined) return error(location, refusal);
    const isAlone = crashes.isSuspect(job);
    const request = { kind: "job", location, job } as const;
    const reply = isAlone
      ? await isolation.run(request, replyWithinMs(job))
      : await pool.threadFor(hash32(job.checkId)).request(request);
    if (reply === "expired") return error(location, "no thread was free to run this check alone");
    if (reply === undefined) {
      crashes.threadEnded(job, isAlone);
      return error(location, "the thread of the probe ended while the check ran");
    }
    crashes.reported(job);
    return reply.kind === "report" ? reply.report : error(location, messageIn(reply));
  };

  return {
    handlersOf: ({ code }) => ({
      runJob: (job) => runJob(code, job),
      async runDiagnostics(request) {
        const thread = pool.threadFor(hash32(code));
        const reply = await thread.request({ kind: "diagnostics", location: code, request });
        if (reply?.kind === "findings") return reply.findings;
        throw new Unavailable(messageIn(reply));
      },
    }),
    ready: pool.ready,
    trouble: pool.trouble,
    stop: supply.stop,
    async close() {
      isolation.close();
      await supply.close();
    },
  };
}

function messageIn(reply: ThreadReply | undefined): string {
  return reply?.kind === "failed" ? reply.message : "the thread of the probe ended";
}
