import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

/** The environment variable of a program that runs in a network and with mounts of its own. */
const MARK = "WATCHPOST_TEST_SANDBOX";
export const isInSandbox = process.env[MARK] !== undefined;

/**
 * All ports are free there, no packet leaves, and mounts and shared memory are private. All processes end with the program or its parent. The shell stays to
 * reap orphans.
 */
const COMMAND = "setpriv";
const ENTER = [
  "--pdeathsig=KILL",
  "unshare",
  "--net",
  "--mount",
  "--ipc",
  "--pid",
  "--kill-child",
  "--mount-proc",
  "sh",
  "-ec",
  'mount -t tmpfs -o mode=1777 tmpfs /dev/shm; ip link set lo up; "$0" "$@"; exit',
];
/** Less than what the runner of the tests gives a file. */
const ENDS_WITHIN_MS = 9 * 60_000;

function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return { ...env, [MARK]: "own" };
}

interface Failure {
  /** Null where it was killed. */
  readonly code: number | string | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a test file again in a world of its own; rejects with what it says where it fails, or does not end in time. */
export async function runInSandbox(file: string, withinMs = ENDS_WITHIN_MS): Promise<void> {
  await promisify(execFile)(COMMAND, [...ENTER, process.execPath, file], {
    env: environment(),
    maxBuffer: 2 ** 24,
    timeout: withinMs,
    killSignal: "SIGKILL",
  }).catch(({ code, killed, stdout, stderr }: Failure) => {
    const isLate = killed && code === null;
    const why = isLate ? `${file} did not end within ${withinMs / 1000} s, and said:\n` : "";
    throw new Error(`${why}${stdout}${stderr}`);
  });
}

/** Restarts with the same arguments in separate namespaces, and returns the exit code. */
export async function restartInSandbox(args: readonly string[]): Promise<number> {
  const child = spawn(COMMAND, [...ENTER, process.execPath, ...args], {
    env: environment(),
    stdio: "inherit",
  });
  const [code]: (number | null)[] = await once(child, "exit");
  return code ?? 1;
}
