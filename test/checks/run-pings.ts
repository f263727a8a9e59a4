import { readdirSync } from "node:fs";

import { pingCheck } from "../../src/checks/icmp/ping.ts";
import type { Outcome } from "../../src/domain/run/outcome.ts";
import { sleep, systemClock } from "../../src/kit/clock.ts";
import { messageOf } from "../../src/kit/errors.ts";
import { childrenOf } from "../child-processes.ts";
import { contextOf } from "../contracts/check-type.ts";
import { waitFor } from "../time/wait-for.ts";

export interface PingRequest {
  readonly targets: readonly string[];
  readonly timeoutMs: number;
  /** The number of concurrent runs of each target; one unless given. */
  readonly times?: number;
  /** Whether the process exits as soon as a ping program runs, and prints its process id. */
  readonly exitsEarly?: boolean;
}

export interface PingRun {
  readonly target: string;
  readonly outcome?: Outcome;
  /** The message of the error, if there is no outcome. */
  readonly trouble?: string;
}

export interface PingReport {
  readonly runs: readonly PingRun[];
  /** The number of open files before and after the runs. */
  readonly files: readonly [number, number];
}

/** Runs PING checks in the network it is started in: the request is JSON in the last argument, the report goes to standard output. */
const {
  targets,
  timeoutMs,
  times = 1,
  exitsEarly,
}: PingRequest = JSON.parse(process.argv[2] ?? "");

async function run(target: string): Promise<PingRun> {
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

const print = (what: PingReport | readonly number[]): boolean =>
  process.stdout.write(JSON.stringify(what));
const openFiles = (): number => readdirSync("/proc/self/fd").length;

// The first run opens what all runs share.
await run("127.0.0.1");
await waitFor("the first ping has ended", () => childrenOf(process.pid).length === 0);
const before = openFiles();
const running = Promise.all(
  Array.from({ length: times }, () => targets)
    .flat()
    .map(run),
);
if (exitsEarly === true) {
  const processes = await waitFor("a ping", () => {
    const pings = childrenOf(process.pid);
    return pings.length > 0 && pings;
  });
  print(processes);
  process.exit();
}
const runs = await running;
// The pipes of a ping close a moment after its reply.
for (let tries = 0; times > 1 && tries < 1000 && openFiles() > before; tries += 1)
  await sleep(systemClock, 10);
print({ runs, files: [before, openFiles()] });
