import type { State } from "../../domain/run/verdict.ts";
import type { Clock, Timer } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { FromThread, LogEntry, Numbered, ThreadReply } from "./protocol.ts";

/** Collects replies, counts, and log entries of a thread into few messages to the main thread. */
export interface Replies {
  /** Sends a report that agrees with the state given with others, and anything else at once: a recheck or an alert may follow from it. */
  readonly add: (reply: Numbered<ThreadReply>, state: State | undefined) => void;
  /** Sends what there is now. */
  readonly send: () => void;
  readonly log: Log;
  readonly meter: Meter;
}

/** A message costs both threads as much as a tenth of a run, and its times are measured already: one in so long as the scheduler begins runs. */
const MESSAGE_INTERVAL_MS = 50;

/** Content of the next message to the main thread. */
type Outgoing = { -readonly [Part in keyof FromThread]: FromThread[Part][number][] };

function nothing(): Outgoing {
  return { replies: [], counts: [], observations: [], logs: [] };
}

export function createReplies(
  post: (message: string) => void,
  clock: Pick<Clock, "setTimer">,
): Replies {
  let parts: Outgoing | undefined;
  let timer: Timer | undefined;
  let urgent: Timer | undefined;
  const send = (): void => {
    timer?.cancel();
    urgent?.cancel();
    urgent = undefined;
    post(JSON.stringify(parts ?? nothing()));
    parts = undefined;
  };
  const next = (): Outgoing => {
    if (parts === undefined) timer = clock.setTimer(send, MESSAGE_INTERVAL_MS);
    return (parts ??= nothing());
  };
  const logAs =
    (level: LogEntry["level"]) =>
    (event: string, fields: object = {}, condition = ""): void =>
      void next().logs.push({ level, event, fields, condition });
  return {
    send,
    add(reply, state) {
      next().replies.push(reply);
      if (!agrees(reply.value, state)) urgent ??= clock.setTimer(send, 0);
    },
    log: { info: logAs("info"), warn: logAs("warn"), error: logAs("error") },
    meter: {
      count: (event, labels = {}, by = 1) => void next().counts.push([event, labels, by]),
      observe: (event, ms, labels = {}) => void next().observations.push([event, ms, labels]),
    },
  };
}

function agrees(reply: ThreadReply, state: State | undefined): boolean {
  if (reply.kind !== "report" || !("outcome" in reply.report)) return false;
  return state === (reply.report.outcome.passed ? "passing" : "failing");
}
