import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Runs the rounds of a bench in a network namespace of its own, so that the machine stays as it is, and gives what they print. It takes root. */
export function inNetworkNamespace(file: string): (rounds: number) => Promise<string> {
  return async (rounds) => {
    const command = ["--net", process.execPath, join(import.meta.dirname, file), String(rounds)];
    return (await promisify(execFile)("unshare", command)).stdout;
  };
}
