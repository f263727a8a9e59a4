import { type ChildProcess, spawn } from "node:child_process";
import { env } from "node:process";
import { createInterface } from "node:readline";

import { unlessAborted } from "../../kit/abort.ts";
import { Unavailable } from "../../kit/errors.ts";
import { Interrupted } from "../../kit/net/dial.ts";
import { ECHO_REQUESTS, type SendEcho, unreachable } from "./send-echo.ts";

/** Each takes a megabyte of memory. */
const PINGS_AT_ONCE = 100;
/** The exit code of ping when no reply came. */
const NO_REPLY = 1;

/** Sends echo requests by the system's ping, one process for each call. */
export function createPingProgram(): SendEcho {
  const waiting = new Set<() => void>();
  let running = 0;
  let isScheduled = false;

  // One start in a turn of the event loop, because each start blocks it for some milliseconds.
  const scheduleNext = (): void => {
    const [start] = waiting;
    if (isScheduled || start === undefined || running >= PINGS_AT_ONCE) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (waiting.delete(start)) start();
      scheduleNext();
    });
  };
  const onClose = (): void => {
    running -= 1;
    scheduleNext();
  };

  return async (address, { signal, monotonic, timeoutMs }) => {
    const { promise, resolve, reject } = Promise.withResolvers<PingFinding>();
    let startedAt = Infinity;
    let ping: ChildProcess | undefined;
    const start = (): void => {
      try {
        ping = startPing({ address, timeoutMs, onFinding: resolve, onClose });
        running += 1;
        startedAt = monotonic();
      } catch (error) {
        reject(error);
      }
    };
    waiting.add(start);
    scheduleNext();
    try {
      const finding = await unlessAborted(promise, signal);
      // A ping that waited in the queue until little time was left proves nothing about its target.
      if (finding === undefined)
        throw monotonic() - startedAt >= timeoutMs / 2
          ? new Interrupted("answer", address)
          : new Unavailable("too little time was left for a ping");
      if ("ms" in finding) return finding.ms;
      throw "trouble" in finding
        ? new Unavailable(`the ping program failed: ${finding.trouble}`)
        : unreachable(address);
    } finally {
      waiting.delete(start);
      ping?.kill();
    }
  };
}

interface PingOptions {
  readonly address: string;
  readonly timeoutMs: number;
  /** Only the first call counts; not called without a reply. */
  readonly onFinding: (finding: PingFinding) => void;
  readonly onClose: () => void;
}

function startPing({ address, timeoutMs, onFinding, onClose }: PingOptions): ChildProcess {
  const seconds = timeoutMs / 1000;
  const count = ["-c", String(ECHO_REQUESTS), "-i", String(seconds / ECHO_REQUESTS)];
  // The deadline ends it even when this process has crashed and cannot.
  const args = [
    "-n",
    ...count,
    "-w",
    String(Math.ceil(seconds)),
    /* guard: arguments of ping */ "--",
    address,
  ];
  // Its output is parsed, so it must be in English.
  const ping = spawn("ping", args, {
    env: { PATH: env.PATH, LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: string[] = [];
  const read = (line: string): void => {
    const finding = readPingLine(line);
    if (finding !== undefined) onFinding(finding);
  };
  createInterface({ input: ping.stdout }).on("line", read);
  createInterface({ input: ping.stderr }).on("line", (line) => {
    errors.push(line);
    read(line);
  });
  ping.on("error", ({ message }) => onFinding({ trouble: message }));
  ping.on("close", (code, signal) => {
    if (code !== NO_REPLY)
      onFinding({ trouble: errors.join("; ") || `ended by ${signal ?? code}` });
    onClose();
  });
  return ping;
}

/** The result of the ping program. */
type PingFinding =
  | { readonly ms: number }
  | { readonly unreachable: true }
  | { readonly trouble: string };

const REPLY = /^\d+ bytes from .* time=(\d+(?:\.\d+)?) ms$/;
/** ICMP errors reported by routers, except redirects and source quench. */
const COMPLAINT = /^From \S+ icmp_seq=\d+ (?!Redirect|Source Quench)/;
const NO_ROUTE =
  /^ping: (?:connect|sendmsg|sendto): (?:Network (?:is )?unreachable|No route to host|Host is unreachable)$/;
const NOT_SENT = /^ping: (?:sendmsg|sendto): /;

/** Undefined if the line does not decide the result. */
export function readPingLine(line: string): PingFinding | undefined {
  const ms = REPLY.exec(line)?.[1];
  if (ms !== undefined) return { ms: Number(ms) };
  if (COMPLAINT.test(line) || NO_ROUTE.test(line)) return { unreachable: true };
  return NOT_SENT.test(line) ? { trouble: line } : undefined;
}
