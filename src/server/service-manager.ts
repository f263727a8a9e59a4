import { sleep, type Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Health } from "./health/health-routes.ts";

/** Supervisor that starts this process and waits until it is ready, such as systemd with the sd_notify(3) protocol. */
export interface ServiceManager {
  /** Shows a sentence next to the state of the service. */
  readonly status: (sentence: string) => void;
  /** Reports that the process serves, then shows its readiness, and answers the watchdog until the signal aborts. */
  readonly serve: (condition: ServiceCondition, signal: AbortSignal) => Promise<void>;
  readonly stopping: () => void;
}

/** State of a process as on `/readyz`. */
export type ServiceCondition = Pick<Health, "unready" | "degraded">;

interface Deps {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly pid: number;
}

const LOOK_INTERVAL_MS = 5000;

const noManager: ServiceManager = { status() {}, serve: async () => {}, stopping() {} };

/** Removes the variables of the manager from `environment`, because programs that this process starts would speak in its name. */
export async function openServiceManager(
  environment: Record<string, string | undefined>,
  { clock, log, pid }: Deps,
): Promise<ServiceManager> {
  const { NOTIFY_SOCKET: path, WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = environment;
  for (const name of ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) delete environment[name];
  if (path === undefined || path === "") return noManager;
  const send = await senderTo(path, log);
  const isWatched = watched === undefined || Number(watched) === pid;
  const watchdogMs = isWatched ? Number(microseconds ?? 0) / 1000 : 0;
  return createServiceManager({ send, watchdogMs, clock });
}

/** Returns a function that says whether the manager accepted the lines. */
async function senderTo(path: string, log: Deps["log"]): Promise<(lines: string) => boolean> {
  const failed = (error: unknown): false => {
    log.warn("main.service_manager_failed", { error: messageOf(error) });
    return false;
  };
  try {
    const { openUnixDatagrams } = await import("../kit/net/unix-datagrams.ts");
    const socket = await openUnixDatagrams(path);
    return (lines) => {
      try {
        return socket.send(lines);
      } catch (error) {
        return failed(error);
      }
    };
  } catch (error) {
    failed(error);
    return () => false;
  }
}

export function createServiceManager({
  send,
  watchdogMs,
  clock,
}: {
  /** Returns whether the manager accepted the lines. */
  readonly send: (lines: string) => boolean;
  /** Interval within which the manager expects a keep-alive; 0 if it does not. */
  readonly watchdogMs: number;
  readonly clock: Clock;
}): ServiceManager {
  let shown = "";
  /** Sends the lines, and the sentence unless it is shown already. */
  const tell = (lines: string, sentence: string): boolean => {
    const text = sentence.replaceAll(/\s+/g, " ");
    const all = text === shown ? lines : `${lines}STATUS=${text}\n`;
    if (all === "") return true;
    const isAccepted = send(all);
    if (isAccepted) shown = text;
    return isAccepted;
  };
  const watchdogLine = watchdogMs > 0 ? "WATCHDOG=1\n" : "";
  const everyMs = watchdogMs > 0 ? Math.min(LOOK_INTERVAL_MS, watchdogMs / 3) : LOOK_INTERVAL_MS;
  return {
    status: (sentence) => void tell("", sentence),
    async serve(condition, signal) {
      let readyLine = "READY=1\n";
      while (!signal.aborted) {
        if (tell(`${readyLine}${watchdogLine}`, sentenceOf(condition))) readyLine = "";
        await sleep(clock, everyMs, signal);
      }
    },
    stopping: () => void tell("STOPPING=1\n", "Stopping"),
  };
}

function sentenceOf({ unready, degraded }: ServiceCondition): string {
  const reasons = unready();
  if (reasons.length > 0) return `Not ready: ${reasons.join("; ")}`;
  const troubles = degraded?.() ?? [];
  return troubles.length === 0 ? "Ready" : `Ready, but degraded: ${troubles.join("; ")}`;
}
