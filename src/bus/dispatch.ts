import type { Clock, Timer } from "../kit/clock.ts";
import type { Bus, Job, Report } from "./bus.ts";

/** A report with the sender's own times, for no other machine's clock is asked. */
export interface Answer {
  readonly report: Report;
  readonly sentAt: number;
  /** From the job to its report, whatever was done to the wall clock meanwhile. */
  readonly elapsedMs: number;
}

export type Dispatch = (location: string, job: Job) => Promise<Answer>;

/** How long after its timeout a job may still be answered: the way there and back, and what a probe asks its witnesses. */
const GRACE_MS = 5000;

/** Sends a job and waits for its report. The wait always ends: by then at the latest the answer is that there was none. */
export function createDispatch(deps: {
  bus: Bus;
  clock: Clock;
  onUnknown: (report: Report) => void;
}): Dispatch {
  const { bus, clock, onUnknown } = deps;
  const waiting = new Map<string, { answer: (report: Report) => void; deadline: Timer }>();

  const receive = (report: Report): void => {
    const entry = waiting.get(report.jobId);
    if (entry === undefined) {
      onUnknown(report);
      return;
    }
    waiting.delete(report.jobId);
    entry.deadline.cancel();
    entry.answer(report);
  };
  bus.reports.subscribe(receive);

  return (location, job) =>
    new Promise((resolve) => {
      const sentAt = clock.now();
      const since = clock.monotonic();
      const unanswered = (): void =>
        receive({
          jobId: job.id,
          location,
          trouble: "unanswered",
          message: `location ${location} did not answer`,
        });
      waiting.set(job.id, {
        answer: (report) => resolve({ report, sentAt, elapsedMs: clock.monotonic() - since }),
        deadline: clock.setTimer(unanswered, job.timeoutMs + GRACE_MS),
      });
      bus.jobs.send(location, job);
    });
}
