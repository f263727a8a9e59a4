import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { execPath } from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { unlessAborted } from "../../kit/abort.ts";
import { Interrupted } from "../../kit/net/dial.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { PingOrder, PingReport } from "./ping-helper.ts";
import type { PingFinding } from "./ping-output.ts";
import { ECHO_REQUESTS, unreachable } from "./send-echo.ts";
import type { SendEcho } from "./send-echo.ts";

interface Run {
  readonly begin: () => void;
  readonly found: (finding: PingFinding) => void;
  readonly reject: (error: unknown) => void;
}

interface Helper {
  readonly order: (order: PingOrder) => void;
  /** Keeps this process alive until the helper has answered. */
  readonly ref: () => void;
  readonly unref: () => void;
}

/**
 * Sends echo requests by the system's ping. A process of a gigabyte stands still for 35 ms while it starts another, so a small helper does that:
 * it begins at the first run, and ends with this process.
 */
export function createPingProgram(): SendEcho {
  const runs = new Map<number, Run>();
  let lastId = 0;
  let helper: Helper | undefined;

  const lose = (cause: Error): void => {
    helper = undefined;
    for (const { reject } of runs.values()) reject(cause);
  };
  const hear = ({ id, finding }: PingReport): void => {
    const run = runs.get(id);
    if (run === undefined) return;
    if (finding === undefined) run.begin();
    else run.found(finding);
  };

  return async (address, { signal, monotonic, timeoutMs }) => {
    const { order, ref, unref } = (helper ??= startHelper(hear, lose));
    const id = (lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<PingFinding>();
    let begunAt = Infinity;
    runs.set(id, { begin: () => (begunAt = monotonic()), found: resolve, reject });
    ref();
    order({ id, address, everySeconds: timeoutMs / 1000 / ECHO_REQUESTS });
    try {
      const finding = await unlessAborted(promise, signal);
      if (finding === undefined) {
        order({ id });
        // A ping that waited for its turn so long that little was left says nothing of its target.
        throw monotonic() - begunAt >= timeoutMs / 2
          ? new Interrupted("answer", address)
          : new Unavailable("too little time was left for a ping");
      }
      if ("ms" in finding) return finding.ms;
      throw "trouble" in finding
        ? new Unavailable(`the ping program failed: ${finding.trouble}`)
        : unreachable(address);
    } finally {
      runs.delete(id);
      if (runs.size === 0) unref();
    }
  };
}

function startHelper(hear: (report: PingReport) => void, lose: (cause: Error) => void): Helper {
  // In a group of its own, for an interrupt from the terminal must not end it before us.
  const child = spawn(execPath, [fileURLToPath(new URL("./ping-helper.ts", import.meta.url))], {
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { stdin, stdout } = child;
  createInterface({ input: stdout }).on("line", (line) => hear(JSON.parse(line)));
  child.on("error", lose);
  child.on("exit", () => lose(new Unavailable("the helper that runs ping ended")));
  // That it ended is said above.
  stdin.on("error", () => {});
  for (const pipe of [stdin, stdout]) if (pipe instanceof Socket) pipe.unref();
  return {
    order: (order) => stdin.write(`${JSON.stringify(order)}\n`),
    ref: () => child.ref(),
    unref: () => child.unref(),
  };
}
