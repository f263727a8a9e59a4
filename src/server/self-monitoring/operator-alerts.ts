import type { AlertContext } from "../../channels/channel.ts";
import type { Alert, AlertKind } from "../../domain/alert/alert.ts";
import { titleOfProblem, type OpenServiceProblem } from "../../domain/service-problem.ts";
import { createDeadline } from "../../kit/abort.ts";
import { sleep, type Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { createWakeSignal } from "../../kit/wake-signal.ts";
import { keyOf } from "./problem-watch.ts";

/** One way to reach the operator. */
export interface OperatorChannel {
  readonly name: "email" | "webhook";
  /** Resolves once the message is accepted; rejects otherwise, and ends when the signal aborts. */
  readonly send: (context: Omit<AlertContext, "to">, signal: AbortSignal) => Promise<void>;
}

interface Deps {
  readonly ways: readonly OperatorChannel[];
  /** Names this process, such as the machine that it runs on. */
  readonly host: string;
  /** The public address of this installation. */
  readonly url: string;
  readonly timeZone: string;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface OperatorAlerts {
  readonly opened: (problem: OpenServiceProblem) => void;
  readonly ended: (problem: OpenServiceProblem) => void;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const ATTEMPT_MS = 20_000;
const RETRY_INTERVAL_MS = 15_000;
/** Maximum unsent messages kept for an unreachable channel; older ones are dropped. */
const MAX_PENDING = 100;

/**
 * Alerts the operator of problems of the service itself, by every way that is set, because any of them may be part of the
 * problem. Nothing is stored: the database may be what fails. Each way is tried until it has accepted the message.
 */
export function createOperatorAlerts(deps: Deps): OperatorAlerts {
  const queues = deps.ways.map((way) => createQueue(way, deps));
  const outages = new Map<string, string>();
  const report = (kind: "down" | "up", problem: OpenServiceProblem): void => {
    const key = keyOf(problem);
    // Another process alerted of it, if any did.
    if (kind === "up" && !outages.has(key)) return;
    const outage = outages.get(key) ?? deps.ids.alert();
    if (kind === "down") outages.set(key, outage);
    else outages.delete(key);
    const context = contextOf({ kind, problem, outage }, deps);
    for (const queue of queues) queue.push(context);
  };
  return {
    opened: (problem) => report("down", problem),
    ended: (problem) => report("up", problem),
    async run(signal) {
      await Promise.all(queues.map((queue) => queue.run(signal)));
    },
  };
}

/** Sends one after the other, because an Up must not overtake its Down. */
function createQueue({ name, send }: OperatorChannel, { clock, log, meter }: Deps) {
  const pending: Omit<AlertContext, "to">[] = [];
  const signals = createWakeSignal(clock);
  const sendInTime = async (context: Omit<AlertContext, "to">, signal: AbortSignal) => {
    using deadline = createDeadline(clock, ATTEMPT_MS);
    await send(context, AbortSignal.any([signal, deadline.signal]));
  };
  return {
    push(context: Omit<AlertContext, "to">): void {
      pending.push(context);
      if (pending.length > MAX_PENDING) pending.shift();
      signals.wake();
    },
    async run(signal: AbortSignal): Promise<void> {
      signal.addEventListener("abort", signals.wake, { once: true });
      while (!signal.aborted) {
        const [context] = pending;
        if (context === undefined) {
          await signals.sleep(Infinity);
          continue;
        }
        try {
          await sendInTime(context, signal);
          meter.count("app.operator_alerted", { way: name });
          if (pending[0] === context) pending.shift();
        } catch (error) {
          meter.count("app.operator_not_alerted", { way: name });
          log.error("app.operator_not_alerted", { way: name, error: messageOf(error) }, name);
          await sleep(clock, RETRY_INTERVAL_MS, signal);
        }
      }
    },
  };
}

/** The problem as the outage of a check, so that every format that alerts have is one that these have. */
function contextOf(
  {
    kind,
    problem,
    outage,
  }: {
    readonly kind: AlertKind & ("down" | "up");
    readonly problem: OpenServiceProblem;
    readonly outage: string;
  },
  { host, url, timeZone, ids, clock }: Deps,
): Omit<AlertContext, "to"> {
  const now = clock.now();
  const isDown = kind === "down";
  const label = titleOfProblem(problem);
  const checkId = `WATCHPOST-${problem.name}${problem.subject === "" ? "" : `-${problem.subject}`}`;
  const since = isDown ? problem.since : now;
  const message = isDown ? problem.found : "The problem is over";
  const alert: Alert = {
    id: ids.alert(),
    flipId: outage,
    accountId: "",
    primaryId: "",
    checkNo: 0,
    checkId,
    outage,
    kind,
    contactId: "",
    addressId: "",
    schedules: [],
    dueAt: now,
    createdAt: now,
    notice: {
      account: { id: "", name: `Watchpost on ${host}` },
      check: {
        id: checkId,
        label,
        type: "SERVICE",
        target: "",
        intervalMinutes: 1,
        description: "Watchpost examines itself; this is no check of an account",
      },
      state: isDown ? "failing" : "passing",
      previous: isDown ? "passing" : "failing",
      since,
      downForMs: isDown ? undefined : now - problem.since,
      result: {
        id: `${checkId}-${now}`,
        startedAt: now,
        endedAt: now,
        runtimeMs: 0,
        reason: isDown ? "status" : "ok",
        text: isDown ? "" : "OK",
        message,
      },
      confirmations: [],
    },
    retryUntil: now,
    attempts: 1,
    bundle: undefined,
    destination: "",
    possiblySent: false,
    judged: true,
  };
  return { alert, kind, timeZone, url, pageUrl: url, branding: undefined };
}
