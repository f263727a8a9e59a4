import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { pause } from "../../test/e2e/trouble.ts";
import type { MonitorWorld, RunningMonitor } from "./monitor.ts";
import { withDescendants } from "./process-tree.ts";

/** A process of a monitor, in the foreground. */
export interface Part {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Without one, it runs as this process does. */
  readonly user?: string;
  /** Seconds after which it is started again where it ended, as its unit asks of systemd. */
  readonly restartSeconds?: number;
  /** Whether it is the database of the others, which the trouble of that name stops. */
  readonly isDatabase?: boolean;
}

/** Restart of a unit that asks for it and gives no time, the default of systemd. */
export const UNIT_RESTART_SECONDS = 0.1;

/** Characters of a log that are kept. */
const MAX_LOG = 2 ** 22;
/** How long a part may take to end after SIGTERM. */
const GRACE_MS = 5_000;

export interface Logging {
  /** A line of the log that says that the monitor stopped alerting. */
  readonly stopped: RegExp;
  /** A file where it logs what it does not print. */
  readonly file?: string;
}

/** Runs the parts of a monitor on its machine. It stopped alerting where a part ended, or where its log says so. */
export function runParts(
  world: Pick<MonitorWorld, "enter" | "folder">,
  parts: readonly Part[],
  logging: Logging,
): RunningMonitor & Required<Pick<RunningMonitor, "restart" | "partTroubles">> {
  let printed = "";
  const append = (text: string): void => void (printed = (printed + text).slice(-MAX_LOG));
  const log = (): string => {
    const { file } = logging;
    return file !== undefined && existsSync(file) ? printed + readFileSync(file, "utf8") : printed;
  };
  const start = (part: Part): RunningPart =>
    superviseStart(() => startPart(world, part, append), part.restartSeconds);
  let running = parts.map(start);
  const isDatabase = (_: RunningPart, index: number): boolean => parts[index]?.isDatabase === true;
  return {
    pids: () => pidsOf(running),
    log,
    stoppedAlerting() {
      const died = running.find((part) => part.endedUnexpectedly() !== undefined);
      return died?.endedUnexpectedly() ?? logging.stopped.exec(log())?.[0];
    },
    async restart() {
      await endAtOnce(running);
      running = parts.map(start);
    },
    partTroubles: {
      async upgrade() {
        const ending = running.filter((part, index) => !isDatabase(part, index));
        await endGracefully(ending);
        running = parts.map((part, index) => {
          const kept = running[index];
          return kept === undefined || ending.includes(kept) ? start(part) : kept;
        });
        return { [Symbol.asyncDispose]: async () => {} };
      },
      ...(parts.some((part) => part.isDatabase === true) && {
        async database() {
          const paused = new AsyncDisposableStack();
          for (const pid of pidsOf(running.filter(isDatabase))) paused.use(pause(pid));
          return paused;
        },
      }),
    },
    [Symbol.asyncDispose]: () => endGracefully(running),
  };
}

function pidsOf(running: readonly RunningPart[]): readonly number[] {
  return withDescendants(running.flatMap((part) => part.pid()));
}

async function endAtOnce(running: readonly RunningPart[]): Promise<void> {
  for (const { expectEnd } of running) expectEnd();
  // The parts first, so that none starts a new child meanwhile.
  for (const pid of pidsOf(running)) kill(pid, "SIGKILL");
  for (const { killGroup } of running) killGroup();
  await Promise.all(running.map((part) => part.ended()));
}

async function endGracefully(running: readonly RunningPart[]): Promise<void> {
  // A part that ends leaves children that nobody finds later.
  const all = pidsOf(running);
  for (const { pid, expectEnd } of running) {
    expectEnd();
    for (const some of pid()) kill(some, "SIGTERM");
  }
  const patience = new AbortController();
  await Promise.race([
    Promise.all(running.map((part) => part.ended())),
    sleep(systemClock, GRACE_MS, patience.signal),
  ]);
  patience.abort();
  for (const pid of all) kill(pid, "SIGKILL");
  await endAtOnce(running);
}

interface RunningPart {
  /** None where it does not run. */
  readonly pid: () => readonly number[];
  /** Resolves once it has ended; it is not started again after that. */
  readonly ended: () => Promise<void>;
  readonly expectEnd: () => void;
  /** Kills its process group, in which a child may be left that it started while it ended. */
  readonly killGroup: () => void;
  readonly endedUnexpectedly: () => string | undefined;
}

/** Starts of a unit in this time after which systemd gives it up, and their number. */
const LIMIT_MS = 10_000;
const LIMIT = 5;

/** Starts a part, and again after each end where that is asked for, until its end is expected. */
function superviseStart(
  startOnce: () => RunningPart,
  restartSeconds: number | undefined,
): RunningPart {
  if (restartSeconds === undefined) return startOnce();
  let current = startOnce();
  let isExpected = false;
  let gaveUp: string | undefined;
  const starts = [systemClock.monotonic()];
  const watch = async (): Promise<void> => {
    for (;;) {
      await current.ended();
      await sleep(systemClock, restartSeconds * 1000);
      if (isExpected) return;
      const now = systemClock.monotonic();
      if (starts.filter((at) => now - at < LIMIT_MS).length >= LIMIT) break;
      starts.push(now);
      current = startOnce();
    }
    gaveUp = `${current.endedUnexpectedly() ?? ""}, ${LIMIT} times in ${LIMIT_MS / 1000} s`;
  };
  void watch();
  return {
    pid: () => current.pid(),
    ended: () => current.ended(),
    expectEnd() {
      isExpected = true;
      current.expectEnd();
    },
    killGroup: () => current.killGroup(),
    endedUnexpectedly: () => (isExpected ? undefined : gaveUp),
  };
}

/**
 * The words that enter a machine with other rights, which are options of setpriv. The environment, which may load libfaketime, comes after
 * them: its semaphores belong to the user that loads it first, and no other user may open them.
 */
export function enterAs(enter: readonly string[], rights: readonly string[]): readonly string[] {
  const environmentAt = enter.includes("env") ? enter.indexOf("env") : enter.length;
  return enter.toSpliced(environmentAt, 0, "setpriv", ...rights);
}

function startPart(
  { enter, folder }: Pick<MonitorWorld, "enter" | "folder">,
  { name, command, environment, user }: Part,
  append: (text: string) => void,
): RunningPart {
  const as = user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, "--init-groups"];
  // It ends with this process, however that ends.
  const [file = "", ...rest] = [...enterAs(enter, ["--pdeathsig=KILL", ...as]), ...command];
  const child = spawn(file, rest, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child.stdout.on("data", (chunk: Buffer) => append(chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => append(chunk.toString()));
  let how: string | undefined;
  let expected = false;
  const ended = new Promise<void>((resolve) => {
    const end = (text: string): void => {
      how ??= text;
      resolve();
    };
    child.once("exit", (code, signal) => end(`${name} ended with ${signal ?? code}`));
    child.once("error", ({ message }) => end(`${name} did not start: ${message}`));
  });
  return {
    pid: () => (child.pid === undefined || how !== undefined ? [] : [child.pid]),
    ended: () => ended,
    expectEnd: () => void (expected = true),
    killGroup() {
      if (child.pid !== undefined) kill(-child.pid, "SIGKILL");
    },
    endedUnexpectedly: () => (expected ? undefined : how),
  };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
