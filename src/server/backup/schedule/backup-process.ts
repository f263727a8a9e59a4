import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";

import { z } from "zod";

import type { Clock } from "../../../kit/clock.ts";
import { Unavailable } from "../../../kit/errors.ts";

const MAIN = join(import.meta.dirname, "../../../main.ts");
/** Time for an aborted backup to remove its partial data. */
const END_MS = 10_000;

const reportSchema = z.object({
  name: z.string(),
  bytes: z.number(),
  taken_at: z.iso.datetime(),
  seconds: z.number(),
  deleted: z.array(z.string()),
});

/** Output of `watchpost backup --json`. */
export type BackupReport = Readonly<z.output<typeof reportSchema>>;

/** Runs the backup of this installation with the settings of this process. */
export function runBackupProcess(
  clock: Pick<Clock, "setTimer">,
  signal: AbortSignal,
): Promise<BackupReport> {
  return runReporter([...process.execArgv, MAIN, "backup", "--json"], { clock, signal });
}

/**
 * Runs a program that reports a backup in a separate process, so that compression and encryption do not block the event loop, and a hanging folder does not
 * block a stop. Throws Unavailable with the program's message.
 */
export async function runReporter(
  args: readonly string[],
  { clock, signal }: { readonly clock: Pick<Clock, "setTimer">; readonly signal: AbortSignal },
): Promise<BackupReport> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const abandoned = Promise.withResolvers<never>();
  let patience: ReturnType<Clock["setTimer"]> | undefined;
  const stop = (): void => {
    child.kill("SIGTERM");
    patience = clock.setTimer(() => {
      // One that waits for a disk ends only when the disk answers.
      child.kill("SIGKILL");
      abandoned.reject(new Unavailable("interrupted"));
    }, END_MS);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  yieldProcessor(child.pid);
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, by) => resolve(code ?? by ?? "no exit code"));
  });
  try {
    const ended = Promise.all([text(child.stdout), text(child.stderr), exited]);
    const [out, said, code] = await Promise.race([ended, abandoned.promise]);
    if (code !== 0)
      throw new Unavailable(said.trim() === "" ? `it ended with ${code}` : firstLine(said));
    return reportSchema.parse(JSON.parse(out));
  } finally {
    signal.removeEventListener("abort", stop);
    patience?.cancel();
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
