import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";

/** The environment variable of the process that has a world of its own. */
const MARK = "WATCHPOST_SCOREBOARD";
export const isInSandbox = process.env[MARK] !== undefined;

const UNSHARE = "--net --mount --pid --fork --kill-child=SIGKILL --mount-proc".split(" ");
/** On the real disk it stays empty. */
const TEMPORARY_FOLDER = "/run/watchpost-scoreboard";
/** The first process reaps what others leave behind, and passes on how the run ended. */
const FIRST_PROCESS = [
  `mount -t tmpfs -o mode=1777 tmpfs ${TEMPORARY_FOLDER}`,
  // libfaketime names its semaphores by process ids, which an earlier run had as well.
  "mount -t tmpfs -o mode=1777 tmpfs /dev/shm",
  "ip link set lo up",
  // A shell that runs its last command in its own place would not reap.
  '"$@"; code=$?; exit "$code"',
].join(" && ");

/**
 * Restarts with the same arguments in a separate network, file system, and process tree, which end with it, and returns the exit code. Closing its standard
 * input stops it.
 */
export async function restartInSandbox(args: readonly string[]): Promise<number> {
  mkdirSync(TEMPORARY_FOLDER, { recursive: true });
  const child = spawn(
    "unshare",
    [...UNSHARE, "sh", "-c", FIRST_PROCESS, "scoreboard", process.execPath, ...args],
    {
      env: {
        ...process.env,
        [MARK]: "own",
        TMPDIR: TEMPORARY_FOLDER,
        // Tools for networks lie where the PATH of an ordinary shell does not lead.
        PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin`,
      },
      stdio: ["pipe", "inherit", "inherit"],
      // An interrupt from the keyboard comes to this process alone.
      detached: true,
    },
  );
  const stop = (): void => void child.stdin.end();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const [code]: (number | null)[] = await once(child, "exit");
  return code ?? 1;
}

/** Aborts once the outer process asks for the end, or is gone. */
export function endOfSandbox(): AbortSignal {
  const controller = new AbortController();
  process.stdin.on("end", () => controller.abort(new Error("interrupted"))).resume();
  return controller.signal;
}
