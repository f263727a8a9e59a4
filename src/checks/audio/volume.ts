import { spawn } from "node:child_process";
import { env } from "node:process";

import { unlessAborted } from "../../kit/abort.ts";
import { codeOf, Unavailable } from "../../kit/errors.ts";
import type { AudioFormat } from "./format.ts";

export interface Audio {
  readonly format: AudioFormat;
  readonly bytes: Uint8Array;
}

/** The longest stretch to measure: longer than a pause in speech, and a limit for a stream that decodes to hours. */
export const maxSeconds = 10;

/** Maximum CPU time; measuring ten seconds takes 0.07 s. */
const MAX_CPU_SECONDS = 2;
/** On a machine with many other processes a second of the processor may take several. */
const BUDGET_MS = 10_000;
const MAX_LOG = 8 * 2 ** 10;

/** One at a time: each ffmpeg uses a whole core, and starting it blocks the main thread for 1 to 20 ms, depending on the memory of the process. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * The mean volume in dB below full scale; undefined if nothing can be decoded. Throws Unavailable if it cannot be measured here, or not in time,
 * which is not a failure of the target.
 */
export async function meanVolume(audio: Audio, signal: AbortSignal): Promise<number | undefined> {
  const turn = lastTurn.then(() => (signal.aborted ? undefined : decode(audio, signal)));
  lastTurn = turn.catch(() => {});
  const log = await unlessAborted(turn, signal);
  if (log === undefined) throw new Unavailable("no time was left to measure the volume");
  const mean = [...log.matchAll(/ mean_volume: (\S+) dB$/gm)].at(-1)?.[1];
  return mean === undefined ? undefined : Number(mean);
}

/** The log of ffmpeg, which reads one stream of a given format from its input, and nothing else. */
function decode({ format, bytes }: Audio, signal: AbortSignal): Promise<string> {
  const quiet = ["-hide_banner", "-nostdin", "-nostats"];
  const bound = ["-timelimit", String(MAX_CPU_SECONDS)];
  const input = ["-protocol_whitelist", "pipe", "-f", format, "-t", String(maxSeconds)];
  const output = ["-map", "0:a:0", "-af", "volumedetect", "-f", "null", "-"];
  return new Promise((resolve, reject) => {
    const child = spawn(
      "ffmpeg",
      [...quiet, ...bound, "-threads", "1", ...input, "-i", "pipe:0", ...output],
      {
        // Without the settings of this process, among which are secrets.
        env: { PATH: env.PATH },
        stdio: ["pipe", "ignore", "pipe"],
        signal,
        timeout: BUDGET_MS,
        killSignal: "SIGKILL",
      },
    );
    let log = "";
    child.stderr
      .setEncoding("utf8")
      .on("data", (chunk: string) => (log = `${log}${chunk}`.slice(-MAX_LOG)));
    child.on("error", (error) =>
      reject(
        codeOf(error) === "ENOENT"
          ? new Unavailable("ffmpeg is needed for verifyvolume", { cause: error })
          : error,
      ),
    );
    child.on("close", (_, killedBy) =>
      killedBy === null
        ? resolve(log)
        : reject(
            new Unavailable(`ffmpeg was ended by ${killedBy} before it had measured the volume`),
          ),
    );
    // ffmpeg closes its input once it has read enough.
    child.stdin.on("error", () => {});
    child.stdin.end(bytes);
  });
}
