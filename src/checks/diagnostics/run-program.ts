import { spawn } from "node:child_process";
import { env } from "node:process";

import { codeOf } from "../../kit/errors.ts";

const MOST_OUTPUT = 64 * 2 ** 10;

/** The output of a local program until it exits, is killed by the signal, or exceeds the limit; undefined if it is not installed. It is started without a shell. */
export function runProgram(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve("");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      // Without the settings of this process, among which are secrets.
      env: { PATH: env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const kill = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.length > MOST_OUTPUT) kill();
    });
    child.on("error", (error) => {
      signal.removeEventListener("abort", kill);
      if (codeOf(error) === "ENOENT") resolve(undefined);
      else reject(error);
    });
    child.on("close", () => {
      signal.removeEventListener("abort", kill);
      resolve(output.slice(0, MOST_OUTPUT));
    });
  });
}
