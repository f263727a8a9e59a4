import { readdirSync } from "node:fs";

import { pingCheck } from "../src/checks/icmp/ping.ts";
import type { Outcome } from "../src/domain/outcome.ts";
import { systemClock } from "../src/kit/clock.ts";
import { messageOf } from "../src/kit/errors.ts";
import { childrenOf } from "./child-processes.ts";
import { contextOf } from "./contracts/check-type.ts";
import { waitFor } from "./wait-for.ts";

export interface PingOrders {
  readonly targets: readonly string[];
  readonly timeoutMs: number;
  /** How many runs of each there are at once; one unless given. */
  readonly times?: number;
  /** Whether it ends at once when the ping program runs. */
  readonly leaves?: boolean;
}

export interface PingEnd {
  readonly target: string;
  readonly outcome?: Outcome;
  /** What was thrown, where there is no outcome. */
  readonly trouble?: string;
}

export interface PingAnswers {
  readonly ends: readonly PingEnd[];
  /** How many files were open before those runs, and after them. */
  readonly files: readonly [number, number];
}

/** Runs PING checks wherever it is started: orders come as JSON in the last argument, answers go to standard output. */
const { targets, timeoutMs, times = 1, leaves }: PingOrders = JSON.parse(process.argv[2] ?? "");

async function run(target: string): Promise<PingEnd> {
  const controller = new AbortController();
  const deadline = systemClock.setTimer(() => controller.abort("over"), timeoutMs);
  const context = contextOf({ signal: controller.signal, timeoutMs });
  try {
    return { target, outcome: await pingCheck.prepare({ target }).run(context) };
  } catch (error) {
    return { target, trouble: messageOf(error) };
  } finally {
    deadline.cancel();
  }
}

const answer = (what: PingAnswers | readonly number[]): boolean =>
  process.stdout.write(JSON.stringify(what));
const openFiles = (): number => readdirSync("/proc/self/fd").length;

// What all runs share begins with the first of them.
await run("127.0.0.1");
const before = openFiles();
const running = Promise.all(
  Array.from({ length: times }, () => targets)
    .flat()
    .map(run),
);
if (leaves === true) {
  const processes = await waitFor("a ping", () => {
    const pings = childrenOf(process.pid);
    return pings.length > 0 && pings;
  });
  answer(processes);
  process.exit();
}
answer({ ends: await running, files: [before, openFiles()] });
