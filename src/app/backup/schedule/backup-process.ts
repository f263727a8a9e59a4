import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";

import { z } from "zod";

import type { Clock } from "../../../kit/clock.ts";
import { Unavailable } from "../../../kit/errors.ts";

const MAIN = join(import.meta.dirname, "../../../main.ts");
/** How long a backup that is asked to end has to remove what it began. */
const END_MS = 10_000;

const reportSchema = z.object({
  name: z.string(),
  bytes: z.number(),
  taken_at: z.iso.datetime(),
  seconds: z.number(),
  deleted: z.array(z.string()),
});

/** What `watchpost backup --json` prints. */
export type BackupReport = Readonly<z.output<typeof reportSchema>>;

/**
 * Runs `watchpost backup` with the settings of this process, in a process of its own: compression and encryption hold no event loop up, and
 * a folder that hangs no stop. Throws Unavailable with what the command said.
 */
export async function runBackupProcess(
  clock: Pick<Clock, "setTimer">,
  signal: AbortSignal,
): Promise<BackupReport> {
  const child = spawn(process.execPath, [...process.execArgv, MAIN, "backup", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let kill: ReturnType<Clock["setTimer"]> | undefined;
  const stop = (): void => {
    child.kill("SIGTERM");
    kill = clock.setTimer(() => child.kill("SIGKILL"), END_MS);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  yieldProcessor(child.pid);
  try {
    const [out, said, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | string>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (exitCode, by) => resolve(exitCode ?? by ?? "no exit code"));
      }),
    ]);
    if (code !== 0)
      throw new Unavailable(said.trim() === "" ? `it ended with ${code}` : firstLine(said));
    return reportSchema.parse(JSON.parse(out));
  } finally {
    signal.removeEventListener("abort", stop);
    kill?.cancel();
  }
}

/** Checks and alerts are more urgent. */
function yieldProcessor(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the system does not allow it.
  }
}

function firstLine(said: string): string {
  return said.trim().split("\n", 1).join("").slice(0, 500);
}
